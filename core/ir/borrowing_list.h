// A list with the interface of std::vector that shares another list's elements until it is changed (copy on write). The lowering
// of a problem usually returns the same buffers, and a second copy of ten million buffers would take gigabytes.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace stowage {

/// Holds its own elements, or borrows those of a lender. The lender is constant, and is kept alive while its elements are
/// borrowed. The first non-const access to a borrowing list copies all elements into it; references taken before that still refer
/// to the lender. A copy of a borrowing list borrows from the same lender. Reading costs as much as from a std::vector.
template <typename T>
class BorrowingList {
public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using iterator = T*;
    using const_iterator = const T*;

    BorrowingList() = default;
    BorrowingList(std::vector<T> values) : own_(std::move(values)) { update(); }
    BorrowingList(std::initializer_list<T> values) : own_(values) { update(); }
    BorrowingList(const BorrowingList& other)
        : own_(other.own_), lender_(other.lender_), first_(lender_ ? other.first_ : own_.data()), size_(other.size_)
    {
    }
    BorrowingList(BorrowingList&& other) noexcept
        : own_(std::move(other.own_)),
          lender_(std::move(other.lender_)),
          first_(std::exchange(other.first_, nullptr)),
          size_(std::exchange(other.size_, 0))
    {
        other.own_.clear();
    }
    BorrowingList& operator=(const BorrowingList& other)
    {
        if (this != &other) *this = BorrowingList(other);
        return *this;
    }
    BorrowingList& operator=(BorrowingList&& other) noexcept
    {
        own_.swap(other.own_);
        lender_.swap(other.lender_);
        std::swap(first_, other.first_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~BorrowingList() = default;

    /// A list that borrows the elements of `lender`; if `lender` itself borrows, the list borrows from the lender's lender. O(1).
    static BorrowingList of(const std::shared_ptr<const BorrowingList>& lender)
    {
        BorrowingList list;
        list.lender_ = lender->lender_ ? lender->lender_ : std::shared_ptr<const std::vector<T>>(lender, &lender->own_);
        list.first_ = list.lender_->data();
        list.size_ = list.lender_->size();
        return list;
    }
    [[nodiscard]] bool borrows() const { return lender_ != nullptr; }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] const T* data() const { return first_; }
    [[nodiscard]] const T* begin() const { return first_; }
    [[nodiscard]] const T* end() const { return first_ + size_; }
    [[nodiscard]] const T* cbegin() const { return first_; }
    [[nodiscard]] const T* cend() const { return first_ + size_; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return first_[i]; }
    /// Throws std::out_of_range outside of the list.
    [[nodiscard]] const T& at(std::size_t i) const { return static_cast<const std::vector<T>&>(*this).at(i); }
    [[nodiscard]] const T& front() const { return *first_; }
    [[nodiscard]] const T& back() const { return first_[size_ - 1]; }
    operator const std::vector<T>&() const { return lender_ ? *lender_ : own_; }

    [[nodiscard]] T* data() { return own().data(); }
    [[nodiscard]] T* begin() { return own().data(); }
    [[nodiscard]] T* end() { return own().data() + size_; }
    [[nodiscard]] T& operator[](std::size_t i) { return own()[i]; }
    [[nodiscard]] T& at(std::size_t i) { return own().at(i); }
    [[nodiscard]] T& front() { return own().front(); }
    [[nodiscard]] T& back() { return own().back(); }

    void reserve(std::size_t count)
    {
        own().reserve(count);
        update();
    }
    void push_back(T value) { emplace_back(std::move(value)); }
    template <typename... Args>
    T& emplace_back(Args&&... args)
    {
        T& added = own().emplace_back(std::forward<Args>(args)...);
        update();
        return added;
    }
    void pop_back()
    {
        own().pop_back();
        update();
    }
    void resize(std::size_t count)
    {
        own().resize(count);
        update();
    }
    void clear()
    {
        lender_.reset();
        own_.clear();
        update();
    }
    template <std::forward_iterator Iterator>
    void assign(Iterator first, Iterator last)
    {
        *this = BorrowingList(std::vector<T>(first, last));
    }
    void assign(std::size_t count, const T& value) { *this = BorrowingList(std::vector<T>(count, value)); }
    T* insert(const T* where, T value)
    {
        const std::ptrdiff_t at = where - first_;
        own().insert(own_.begin() + at, std::move(value));
        update();
        return own_.data() + at;
    }
    template <typename Iterator>
    T* insert(const T* where, Iterator first, Iterator last)
    {
        const std::ptrdiff_t at = where - first_;
        own().insert(own_.begin() + at, first, last);
        update();
        return own_.data() + at;
    }
    T* erase(const T* where) { return erase(where, where + 1); }
    T* erase(const T* first, const T* last)
    {
        const std::ptrdiff_t from = first - first_;
        const std::ptrdiff_t to = last - first_;
        own().erase(own_.begin() + from, own_.begin() + to);
        update();
        return own_.data() + from;
    }
    void swap(BorrowingList& other) noexcept { *this = std::move(other); }

    friend bool operator==(const BorrowingList& a, const BorrowingList& b)
    {
        return (a.first_ == b.first_ && a.size_ == b.size_) ||
               static_cast<const std::vector<T>&>(a) == static_cast<const std::vector<T>&>(b);
    }

private:
    /// The elements for a change: a borrowing list copies them first.
    std::vector<T>& own()
    {
        if (lender_) {
            own_ = *lender_;
            lender_.reset();
            update();
        }
        return own_;
    }
    void update()
    {
        first_ = own_.data();
        size_ = own_.size();
    }

    std::vector<T> own_; ///< empty while it borrows
    std::shared_ptr<const std::vector<T>> lender_;
    const T* first_ = nullptr; ///< the first element, own or borrowed; reading uses only this and the size
    std::size_t size_ = 0;
};

} // namespace stowage
