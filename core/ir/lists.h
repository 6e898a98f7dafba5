// Two small lists with the interface of std::vector, for fields that occur millions of times in a problem. An empty std::vector
// takes 24 bytes, and one with a single element also a heap block of 32 bytes or more.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace stowage {

namespace detail {

/// The common interface of both lists. `Self` provides the storage: `data`, `size`, `capacity`, `setSize`, and `move(capacity)`,
/// which moves the elements into a block of that capacity. Elements must be trivially copyable. At most 2^32 - 1 elements.
template <typename Self, typename T>
class ListInterface {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8);

public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using iterator = T*;
    using const_iterator = const T*;

    [[nodiscard]] bool empty() const { return self().size() == 0; }
    [[nodiscard]] T* begin() { return self().data(); }
    [[nodiscard]] const T* begin() const { return self().data(); }
    [[nodiscard]] const T* cbegin() const { return begin(); }
    [[nodiscard]] T* end() { return begin() + self().size(); }
    [[nodiscard]] const T* end() const { return begin() + self().size(); }
    [[nodiscard]] const T* cend() const { return end(); }
    [[nodiscard]] auto rbegin() { return std::reverse_iterator(end()); }
    [[nodiscard]] auto rbegin() const { return std::reverse_iterator(end()); }
    [[nodiscard]] auto rend() { return std::reverse_iterator(begin()); }
    [[nodiscard]] auto rend() const { return std::reverse_iterator(begin()); }
    [[nodiscard]] T& operator[](std::size_t i) { return begin()[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return begin()[i]; }
    /// Throws std::out_of_range outside of the list.
    [[nodiscard]] T& at(std::size_t i) { return begin()[checkedIndex(i)]; }
    [[nodiscard]] const T& at(std::size_t i) const { return begin()[checkedIndex(i)]; }
    [[nodiscard]] T& front() { return *begin(); }
    [[nodiscard]] const T& front() const { return *begin(); }
    [[nodiscard]] T& back() { return end()[-1]; }
    [[nodiscard]] const T& back() const { return end()[-1]; }

    void reserve(std::size_t count)
    {
        if (count > self().capacity()) self().move(count);
    }
    void push_back(const T& value)
    {
        const T kept = value; // `value` may refer to an element
        growFor(1);
        new (static_cast<void*>(end())) T(kept);
        self().setSize(self().size() + 1);
    }
    template <typename... Args>
    T& emplace_back(Args&&... args)
    {
        if constexpr (std::is_constructible_v<T, Args...>)
            push_back(T(std::forward<Args>(args)...));
        else
            push_back(T{std::forward<Args>(args)...});
        return back();
    }
    void pop_back() { self().setSize(self().size() - 1); }
    void clear() { self().setSize(0); }
    void resize(std::size_t count, const T& value = {})
    {
        const T kept = value;
        if (count > self().size()) {
            reserve(count);
            std::uninitialized_fill_n(end(), count - self().size(), kept);
        }
        self().setSize(count);
    }
    template <std::forward_iterator Iterator>
    void assign(Iterator first, Iterator last)
    {
        const auto count = static_cast<std::size_t>(std::distance(first, last));
        if (count > self().capacity()) {
            self() = Self(first, last);
            return;
        }
        std::copy(first, last, begin());
        self().setSize(count);
    }
    void assign(std::size_t count, const T& value) { self() = Self(count, value); }
    template <std::forward_iterator Iterator>
    T* insert(const T* where, Iterator first, Iterator last)
    {
        const std::vector<T> kept(first, last); // the range may lie in this list
        const std::ptrdiff_t at = where - begin();
        growFor(kept.size());
        T* const to = begin() + at;
        const std::size_t moved = static_cast<std::size_t>(end() - to);
        std::uninitialized_fill_n(end(), kept.size(), T{});
        std::copy_backward(to, to + moved, to + moved + kept.size());
        std::copy(kept.begin(), kept.end(), to);
        self().setSize(self().size() + kept.size());
        return to;
    }
    T* insert(const T* where, const T& value) { return insert(where, &value, &value + 1); }
    T* erase(const T* first, const T* last)
    {
        T* const to = begin() + (first - begin());
        T* const rest = std::copy(begin() + (last - begin()), end(), to);
        self().setSize(static_cast<std::size_t>(rest - begin()));
        return to;
    }
    T* erase(const T* where) { return erase(where, where + 1); }
    void swap(Self& other) noexcept { std::swap(self(), other); }

    /// Makes a copy; use a std::span to avoid it.
    operator std::vector<T>() const { return std::vector<T>(begin(), end()); }

    friend bool operator==(const Self& a, const Self& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
    friend bool operator==(const Self& a, const std::vector<T>& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
    friend auto operator<=>(const Self& a, const Self& b) requires std::three_way_comparable<T>
    {
        return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
    }

protected:
    ListInterface() = default;
    ~ListInterface() = default;
    ListInterface(const ListInterface&) = default;
    ListInterface(ListInterface&&) noexcept = default;
    ListInterface& operator=(const ListInterface&) = default;
    ListInterface& operator=(ListInterface&&) noexcept = default;

    /// Appends `count` elements. Requires an empty list.
    template <typename Iterator>
    void fill(Iterator first, std::size_t count)
    {
        reserve(count);
        std::uninitialized_copy_n(first, count, begin());
        self().setSize(count);
    }
    static std::uint32_t checkedCount(std::size_t count)
    {
        if (count > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("a list of more than 2^32 - 1 elements");
        return static_cast<std::uint32_t>(count);
    }

private:
    [[nodiscard]] std::size_t checkedIndex(std::size_t i) const
    {
        if (i >= self().size()) throw std::out_of_range("an index outside of a list");
        return i;
    }
    void growFor(std::size_t more)
    {
        const std::size_t wanted = self().size() + more;
        if (wanted > self().capacity()) self().move(std::max(wanted, 2 * self().capacity()));
    }
    Self& self() { return static_cast<Self&>(*this); }
    const Self& self() const { return static_cast<const Self&>(*this); }
};

} // namespace detail

/// A list that is usually empty. It takes one pointer, which is null until the first element is added.
template <typename T>
class RareList : public detail::ListInterface<RareList<T>, T> {
    using Interface = detail::ListInterface<RareList<T>, T>;
    friend Interface;

public:
    RareList() = default;
    RareList(std::initializer_list<T> values) { this->fill(values.begin(), values.size()); }
    RareList(const std::vector<T>& values) { this->fill(values.begin(), values.size()); }
    template <std::forward_iterator Iterator>
    RareList(Iterator first, Iterator last)
    {
        this->fill(first, static_cast<std::size_t>(std::distance(first, last)));
    }
    explicit RareList(std::size_t count, const T& value = {}) { this->resize(count, value); }
    RareList(const RareList& other) : Interface() { this->fill(other.begin(), other.size()); }
    RareList(RareList&& other) noexcept : Interface(), block_(std::exchange(other.block_, nullptr)) {}
    RareList& operator=(const RareList& other)
    {
        if (this != &other) *this = RareList(other);
        return *this;
    }
    RareList& operator=(RareList&& other) noexcept
    {
        std::swap(block_, other.block_);
        return *this;
    }
    RareList& operator=(std::initializer_list<T> values) { return *this = RareList(values); }
    ~RareList() { ::operator delete(block_); }

    [[nodiscard]] std::size_t size() const { return block_ ? block_->size : 0; }
    [[nodiscard]] std::size_t capacity() const { return block_ ? block_->capacity : 0; }
    [[nodiscard]] T* data() { return block_ ? reinterpret_cast<T*>(block_ + 1) : nullptr; }
    [[nodiscard]] const T* data() const { return block_ ? reinterpret_cast<const T*>(block_ + 1) : nullptr; }

private:
    /// Stored before the elements, in the same heap block.
    struct Header {
        std::uint32_t size;
        std::uint32_t capacity;
    };

    void setSize(std::size_t size)
    {
        if (block_) block_->size = static_cast<std::uint32_t>(size);
    }
    void move(std::size_t capacity)
    {
        const std::uint32_t room = Interface::checkedCount(capacity);
        auto* const block = new (::operator new(sizeof(Header) + capacity * sizeof(T))) Header{0, room};
        std::uninitialized_copy_n(data(), size(), reinterpret_cast<T*>(block + 1));
        block->size = static_cast<std::uint32_t>(size());
        ::operator delete(block_);
        block_ = block;
    }

    Header* block_ = nullptr;
};

/// A list that usually holds one element, which it stores without a heap block.
template <typename T>
class ShortList : public detail::ListInterface<ShortList<T>, T> {
    using Interface = detail::ListInterface<ShortList<T>, T>;
    friend Interface;

public:
    ShortList() {} // NOLINT(modernize-use-equals-default): the union has no member to begin with
    ShortList(std::initializer_list<T> values) { this->fill(values.begin(), values.size()); }
    ShortList(const std::vector<T>& values) { this->fill(values.begin(), values.size()); }
    template <std::forward_iterator Iterator>
    ShortList(Iterator first, Iterator last)
    {
        this->fill(first, static_cast<std::size_t>(std::distance(first, last)));
    }
    explicit ShortList(std::size_t count, const T& value = {}) { this->resize(count, value); }
    ShortList(const ShortList& other) : Interface() { this->fill(other.begin(), other.size()); }
    ShortList(ShortList&& other) noexcept : Interface() { take(other); }
    ShortList& operator=(const ShortList& other)
    {
        if (this != &other) this->assign(other.begin(), other.end());
        return *this;
    }
    ShortList& operator=(ShortList&& other) noexcept
    {
        if (this == &other) return *this;
        release();
        take(other);
        return *this;
    }
    ShortList& operator=(std::initializer_list<T> values)
    {
        this->assign(values.begin(), values.end());
        return *this;
    }
    ~ShortList() { release(); }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t capacity() const { return capacity_; }
    [[nodiscard]] T* data() { return capacity_ > 1 ? many_ : &one_; }
    [[nodiscard]] const T* data() const { return capacity_ > 1 ? many_ : &one_; }

private:
    void setSize(std::size_t size) { size_ = static_cast<std::uint32_t>(size); }
    void move(std::size_t capacity)
    {
        const std::uint32_t room = Interface::checkedCount(capacity);
        auto* const block = static_cast<T*>(::operator new(capacity * sizeof(T)));
        std::uninitialized_copy_n(data(), size_, block);
        release();
        many_ = block;
        capacity_ = room;
    }
    void release()
    {
        if (capacity_ > 1) ::operator delete(many_);
    }
    /// Moves the elements of `other` here and leaves it empty. Requires that the storage of this list is released.
    void take(ShortList& other)
    {
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, 1);
        if (capacity_ > 1)
            many_ = other.many_;
        else if (size_ == 1)
            new (static_cast<void*>(&one_)) T(other.one_);
    }

    union {
        T one_;   ///< if the capacity is 1
        T* many_; ///< if the capacity is larger
    };
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = 1;
};

/// Removes the elements for which `test` holds and returns their number, like std::erase_if.
template <typename Self, typename T, typename Test>
std::size_t eraseIf(detail::ListInterface<Self, T>& list, Test&& test)
{
    const auto rest = std::remove_if(list.begin(), list.end(), std::forward<Test>(test));
    const auto count = static_cast<std::size_t>(list.end() - rest);
    list.erase(rest, list.end());
    return count;
}

/// Removes the elements that equal `value` and returns their number, like std::erase.
template <typename Self, typename T>
std::size_t eraseEqual(detail::ListInterface<Self, T>& list, const T& value)
{
    return eraseIf(list, [kept = value](const T& element) { return element == kept; });
}

} // namespace stowage
