// Nothing: owns the precompiled header that tests share.
