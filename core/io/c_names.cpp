#include "core/io/c_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace stowage::io {

namespace {

// Of C99 and of C++20, sorted.
constexpr std::array keywords{"alignas",
                              "alignof",
                              "and",
                              "and_eq",
                              "asm",
                              "auto",
                              "bitand",
                              "bitor",
                              "bool",
                              "break",
                              "case",
                              "catch",
                              "char",
                              "char16_t",
                              "char32_t",
                              "char8_t",
                              "class",
                              "co_await",
                              "co_return",
                              "co_yield",
                              "compl",
                              "concept",
                              "const",
                              "const_cast",
                              "consteval",
                              "constexpr",
                              "constinit",
                              "continue",
                              "decltype",
                              "default",
                              "delete",
                              "do",
                              "double",
                              "dynamic_cast",
                              "else",
                              "enum",
                              "explicit",
                              "export",
                              "extern",
                              "false",
                              "float",
                              "for",
                              "friend",
                              "goto",
                              "if",
                              "inline",
                              "int",
                              "long",
                              "mutable",
                              "namespace",
                              "new",
                              "noexcept",
                              "not",
                              "not_eq",
                              "nullptr",
                              "operator",
                              "or",
                              "or_eq",
                              "private",
                              "protected",
                              "public",
                              "register",
                              "reinterpret_cast",
                              "requires",
                              "restrict",
                              "return",
                              "short",
                              "signed",
                              "sizeof",
                              "static",
                              "static_assert",
                              "static_cast",
                              "struct",
                              "switch",
                              "template",
                              "this",
                              "thread_local",
                              "throw",
                              "true",
                              "try",
                              "typedef",
                              "typeid",
                              "typename",
                              "union",
                              "unsigned",
                              "using",
                              "virtual",
                              "void",
                              "volatile",
                              "wchar_t",
                              "while",
                              "xor",
                              "xor_eq"};

/// What a symbol of a program may not be called: `main`; functions, types and macros of C's library and of tvm_model.h; what
/// compilers know without a declaration. Also the library's headers, which those of models would hide.
constexpr std::string_view libraryNames =
    " "
    "_Bool _Complex _Exit _exit _Imaginary abort abs aligned_alloc alloca asctime assert at_quick_exit atexit atof atoi "
    "atol atoll bcmp bsearch btowc BUFSIZ bzero calloc clearerr clock clock_t CLOCKS_PER_SEC complex ctime ctype dcgettext "
    "dgettext difftime div div_t double_t EDOM EILSEQ EOF ERANGE errno execl execle execlp execv execve execvp exit "
    "EXIT_FAILURE EXIT_SUCCESS fclose feclearexcept fegetenv fegetexceptflag fegetround feholdexcept fenv fenv_t feof "
    "feraiseexcept ferror fesetenv fesetexceptflag fesetround fetestexcept feupdateenv fexcept_t fflush ffs ffsl ffsll "
    "fgetc fgetpos fgets fgetwc fgetws FILE float_t fopen FOPEN_MAX fork fpclassify fpos_t fprintf fprintf_unlocked "
    "fputc fputc_unlocked fputs fputs_unlocked fputwc fputws fread free freopen fscanf fseek fsetpos ftell fwide fwprintf "
    "fwrite fwscanf getc getchar getenv gets gettext getwc getwchar gmtime HUGE_VAL I i386 imaginary imaxabs imaxdiv "
    "imaxdiv_t index INFINITY INT16_MAX INT16_MIN int16_t INT32_MAX INT32_MIN int32_t INT64_MAX INT64_MIN int64_t INT8_MAX "
    "INT8_MIN int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t "
    "int_least8_t INTMAX_MAX INTMAX_MIN intmax_t INTPTR_MAX INTPTR_MIN intptr_t inttypes isalnum isalpha isascii isblank "
    "iscntrl isdigit isfinite isgraph isgreater isgreaterequal isinf isless islessequal islessgreater islower isnan "
    "isnormal iso646 isprint ispunct isspace isunordered isupper iswalnum iswalpha iswblank iswcntrl iswctype iswdigit "
    "iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit isxdigit jmp_buf L_tmpnam labs ldiv ldiv_t limits "
    "linux llabs lldiv lldiv_t locale localeconv localtime longjmp main malloc math math_errhandling max_align_t MB_CUR_MAX "
    "mblen mbrlen mbrtowc mbsinit mbsrtowcs mbstate_t mbstowcs mbtowc memchr memcmp memcpy memmove mempcpy memset mktime "
    "NAN NULL offsetof perror printf printf_unlocked PTRDIFF_MAX PTRDIFF_MIN ptrdiff_t putc putchar putchar_unlocked puts "
    "puts_unlocked putwc putwchar qsort quick_exit raise rand RAND_MAX realloc remove rename rewind rindex scanf SEEK_CUR "
    "SEEK_END SEEK_SET setbuf setjmp setlocale setvbuf SIG_ATOMIC_MAX SIG_ATOMIC_MIN sig_atomic_t signal SIZE_MAX size_t "
    "snprintf sprintf srand sscanf stdalign stdarg stdatomic stdbool stddef stderr stdin stdint stdio stdlib stdnoreturn "
    "stdout stpcpy stpncpy strcasecmp strcat strchr strcmp strcoll strcpy strcspn strdup strerror strfmon strftime string "
    "strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr strtod strtof strtoimax "
    "strtok strtol strtold strtoll strtoul strtoull strtoumax strxfrm swprintf swscanf system tgmath threads time time_t "
    "timespec_get TMP_MAX tmpfile tmpnam toascii tolower toupper towctrans towlower towupper TVM_ALIGNED "
    "TVM_MISSING_POINTER TVM_SECTION tvm_select TVMContext TVMExecute TVMModel TVMSetDevices TVMSetParameters TVMSetTensors "
    "TVMSetWorkspaces uchar UINT16_MAX uint16_t UINT32_MAX uint32_t UINT64_MAX uint64_t UINT8_MAX uint8_t uint_fast16_t "
    "uint_fast32_t uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t uint_least8_t UINTMAX_MAX "
    "uintmax_t UINTPTR_MAX uintptr_t ungetc ungetwc unix va_arg va_copy va_end va_list va_start vfprintf vfscanf vfwprintf "
    "vfwscanf vprintf vscanf vsnprintf vsprintf vsscanf vswprintf vswscanf vwprintf vwscanf wchar WCHAR_MAX WCHAR_MIN "
    "wcrtomb wcscat wcschr wcscmp wcscoll wcscpy wcscspn wcsftime wcslen wcsncat wcsncmp wcsncpy wcspbrk wcsrchr wcsrtombs "
    "wcsspn wcsstr wcstod wcstof wcstoimax wcstok wcstol wcstold wcstoll wcstombs wcstoul wcstoull wcstoumax wcsxfrm wctob "
    "wctomb wctrans wctrans_t wctype wctype_t WEOF WINT_MAX WINT_MIN wint_t wmemchr wmemcmp wmemcpy wmemmove wmemset "
    "wprintf wscanf ";
/// Functions with variants for float and long double: exp, expf, expl.
constexpr std::string_view mathNames =
    " "
    "acos acosh asin asinh atan atan2 atanh cabs cacos cacosh carg casin casinh catan catanh cbrt ccos ccosh ceil cexp "
    "cimag clog conj copysign cos cosh cpow cproj creal csin csinh csqrt ctan ctanh drem erf erfc exp exp10 exp2 expm1 fabs "
    "fdim finite floor fma fmax fmin fmod frexp gamma gamma_r hypot ilogb j0 j1 jn ldexp lgamma lgamma_r llrint llround log "
    "log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow pow10 remainder remquo rint round "
    "roundeven scalb scalbln scalbn signbit significand sin sincos sinh sqrt tan tanh tgamma trunc y0 y1 yn ";

bool hasWord(std::string_view words, std::string_view word)
{
    return words.find(fmt::format(" {} ", word)) != std::string_view::npos;
}

bool isLibraryName(std::string_view name)
{
    if (hasWord(libraryNames, name) || hasWord(mathNames, name)) return true;
    return (name.ends_with('f') || name.ends_with('l')) && hasWord(mathNames, name.substr(0, name.size() - 1));
}

bool asciiAlnum(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

} // namespace

std::string toCName(std::string_view name)
{
    std::string result;
    for (const char c : name) result += asciiAlnum(c) || c == '_' ? c : '_';
    if (result.empty()) return "unnamed";
    if (result.front() >= '0' && result.front() <= '9') result.insert(result.begin(), 'x');
    if (std::any_of(keywords.begin(), keywords.end(), [&](std::string_view keyword) { return keyword == result; })) result += '_';
    return result;
}

std::string toCMacro(std::string_view name)
{
    std::string result;
    for (const char c : name) result += asciiAlnum(c) ? static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c) : '_';
    return result.empty() ? "UNNAMED" : result;
}

std::string toCComment(std::string_view text)
{
    std::string result(text);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const char c = result[i], next = i + 1 < result.size() ? result[i + 1] : '\0';
        const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        if (control || c == '\\' || (c == '*' && next == '/') || (c == '/' && next == '*')) result[i] = '?';
    }
    return result;
}

std::string CNames::unique(std::string_view what, std::string_view name)
{
    const std::string key = fmt::format("{}\n{}", what, name);
    if (const auto known = given_.find(key); known != given_.end()) return known->second;
    const std::string plain = case_ == Case::capitals ? toCMacro(name) : toCName(name);
    const std::string result = taken_.insert(plain) ? plain : taken_.numbered(plain + '_');
    report(what, name, result, plain);
    given_.emplace(key, result);
    return result;
}

std::string CNames::global(std::string_view what, std::string_view name)
{
    const std::string plain = toCName(name);
    const std::string result = isLibraryName(plain) ? plain + '_' : plain;
    taken_.insert(result);
    report(what, name, result, plain);
    return result;
}

void CNames::report(std::string_view what, std::string_view name, const std::string& result, const std::string& plain)
{
    if (result == plain) return;
    clashes_.push_back(
        warning(Code::nameClash, fmt::format("{} '{}' is called '{}' in C, as '{}' is taken", what, name, result, plain)));
}

} // namespace stowage::io
