using System.Buffers;
using Mux.Buffers;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.Core.Tests.Buffers;

/// <summary>Arrays that come back are kept for some seconds, and their memory is not kept after that.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class MessageArrayPoolTests
{
    private readonly ManualTime _time = new();
    private readonly MessageArrayPool _sut;

    public MessageArrayPoolTests() => _sut = new MessageArrayPool(_time);

    [Theory]
    [InlineData(1, 16)]
    [InlineData(16_384, 16_384)]
    [InlineData(16_385, 32_768)]
    [InlineData(65_536, 65_536)]
    [InlineData(1_000_000, 1_048_576)]
    public void An_array_has_the_next_power_of_two(int minimum, int length) => Assert.Equal(length, _sut.Rent(minimum).Length);

    [Fact]
    public void The_array_that_came_back_last_is_given_out_first()
    {
        byte[] first = _sut.Rent(100_000), second = _sut.Rent(100_000);
        Assert.NotSame(first, second);
        _sut.Return(first);
        _sut.Return(second);
        Assert.Same(second, _sut.Rent(70_000));
        Assert.Same(first, _sut.Rent(131_072));
        Assert.NotSame(first, _sut.Rent(131_072));
    }

    [Fact]
    public void An_array_that_was_not_wanted_for_ten_seconds_is_not_kept_and_the_timer_ends_with_the_last()
    {
        _sut.Return(_sut.Rent(1 << 20));
        Assert.Equal(1 << 20, _sut.Kept);
        Assert.Equal(1, _time.ArmedTimers);
        _time.Advance(TimeSpan.FromSeconds(5));
        _sut.Return(_sut.Rent(2 << 20));
        _time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(3 << 20, _sut.Kept);
        _time.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal(2 << 20, _sut.Kept);
        _time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal((0L, 0), (_sut.Kept, _time.ArmedTimers));
    }

    [Fact]
    public void What_is_used_again_and_again_is_kept()
    {
        var array = _sut.Rent(1 << 20);
        for (int second = 0; second < 60; second++)
        {
            _sut.Return(array);
            _time.Advance(TimeSpan.FromSeconds(1));
            Assert.Same(array, _sut.Rent(1 << 20));
        }
    }

    [Fact]
    public void Arrays_of_the_shared_pool_may_come_back_here_and_others_are_not_kept()
    {
        var shared = ArrayPool<byte>.Shared.Rent(100_000);
        _sut.Return(shared);
        Assert.Same(shared, _sut.Rent(100_000));
        _sut.Return(new byte[100_000]);
        Assert.Equal(0, _sut.Kept);
    }

    [Fact]
    public void An_array_is_cleared_if_that_is_asked_for()
    {
        var array = _sut.Rent(100_000);
        array[5] = 7;
        _sut.Return(array, clearArray: true);
        Assert.Equal(0, array[5]);
    }

    [Fact]
    public void Memory_that_is_given_back_is_the_systems_although_the_array_is_there()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Elsewhere it waits for the garbage collector.");
        const int Arrays = 64, Length = 4 << 20;
        long before = ProcessMemory.Resident();
        var arrays = Enumerable.Range(0, Arrays).Select(_ => _sut.Rent(Length)).ToList();
        foreach (var array in arrays) array.AsSpan().Fill(1);
        Assert.True(ProcessMemory.Resident() - before > Arrays * (long)Length / 2, "The arrays were never in memory.");
        foreach (var array in arrays) _sut.Return(array);
        _sut.Trim(long.MaxValue);
        Assert.True(ProcessMemory.Resident() - before < Arrays * (long)Length / 4, $"{(ProcessMemory.Resident() - before) >> 20} MiB are still in memory.");
        Assert.All(arrays, array => Assert.Equal((0, Length), (array[Length / 2], array.Length))); // they are whole, and read as zeros
        arrays[0].AsSpan().Fill(2);
        Assert.Equal(2, arrays[0][Length / 2]);
    }
}
