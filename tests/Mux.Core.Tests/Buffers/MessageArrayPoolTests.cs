using System.Buffers;
using Mux.Buffers;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

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

    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 1 << 20)]
    public async Task Nothing_is_kept_past_a_full_collection_that_finds_memory_short(bool isShort, int kept)
    {
        var asked = new Counter("full collections");
        var sut = new MessageArrayPool(_time, isMemoryShort: () =>
        {
            asked.Add();
            return isShort;
        });
        sut.Return(sut.Rent(1 << 20));

        GC.Collect();

        await asked.ReachAsync(1);
        GC.WaitForPendingFinalizers();
        Assert.Equal(kept, sut.Kept);
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
    public void What_is_kept_of_all_lengths_together_is_bounded_and_the_oldest_give_way()
    {
        var sut = new MessageArrayPool(_time, mostKept: 8 << 20);
        foreach (int length in new[] { 4 << 20, 2 << 20, 1 << 20 })
        {
            var burst = Enumerable.Range(0, (16 << 20) / length).Select(_ => sut.Rent(length)).ToList();
            foreach (var array in burst)
            {
                sut.Return(array);
                Assert.InRange(sut.Kept, length, 8 << 20);
            }

            _time.Advance(TimeSpan.FromMilliseconds(100));
            Assert.Same(burst[^1], sut.Rent(length)); // the newest are those that are kept
            sut.Return(burst[^1]);
        }

        Assert.Equal(8 << 20, sut.Kept);
        Assert.Equal(8, Enumerable.Range(0, 100).Count(_ => AllocatedBy(() => sut.Rent(1 << 20)) < 1 << 20)); // and none of another length
    }

    [Fact]
    public void An_array_that_is_made_anew_takes_the_room_of_the_oldest_that_are_kept()
    {
        var sut = new MessageArrayPool(_time, mostKept: 8 << 20);
        var old = Enumerable.Range(0, 8).Select(_ => sut.Rent(1 << 20)).ToList();
        foreach (var array in old)
        {
            sut.Return(array);
            _time.Advance(TimeSpan.FromMilliseconds(1));
        }

        sut.Rent(2 << 20);
        Assert.Equal(6 << 20, sut.Kept);
        for (int i = 7; i >= 2; i--) Assert.Same(old[i], sut.Rent(1 << 20));
        var made = sut.Rent(1 << 20);
        Assert.All(old, array => Assert.NotSame(array, made));
    }

    [Fact]
    public void An_array_longer_than_all_that_may_be_kept_is_not_kept_and_drives_nothing_out()
    {
        var sut = new MessageArrayPool(_time, mostKept: 8 << 20);
        var small = sut.Rent(1 << 20);
        sut.Return(small);
        sut.Return(new byte[16 << 20]);
        Assert.Equal(1 << 20, sut.Kept);
        Assert.Same(small, sut.Rent(1 << 20));
    }

    [Fact]
    public void What_comes_back_while_the_timer_ends_starts_it_again()
    {
        var time = new LastMomentTime(_time);
        var sut = new MessageArrayPool(time);
        sut.Return(sut.Rent(1 << 20));
        byte[] array = sut.Rent(2 << 20);
        time.OnTimerEnded = () => sut.Return(array);
        _time.Advance(TimeSpan.FromMilliseconds(MessageArrayPool.KeptFor + 5_000));
        Assert.Equal((2L << 20, 1), (sut.Kept, _time.ArmedTimers));
        _time.Advance(TimeSpan.FromMilliseconds(MessageArrayPool.KeptFor + 5_000));
        Assert.Equal((0L, 0), (sut.Kept, _time.ArmedTimers));
    }

    [Fact]
    public void Threads_that_take_and_give_back_keep_no_more_than_is_allowed()
    {
        const long Most = 4 << 20;
        var sut = new MessageArrayPool(_time, Most);
        Parallel.For(0, 4, thread =>
        {
            var random = new Random(thread);
            var held = new Queue<byte[]>();
            for (int i = 0; i < 5_000; i++)
            {
                held.Enqueue(sut.Rent(1 << random.Next(14, 20)));
                if (held.Count > random.Next(20)) sut.Return(held.Dequeue());
            }

            while (held.TryDequeue(out var array)) sut.Return(array);
        });
        Assert.InRange(sut.Kept, 1, Most);
        _time.Advance(TimeSpan.FromMilliseconds(MessageArrayPool.KeptFor + 5_000));
        Assert.Equal(0, sut.Kept);
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
        const int Arrays = 8, Length = 4 << 20;
        var arrays = Enumerable.Range(0, Arrays).Select(_ => _sut.Rent(Length)).ToList();
        foreach (var array in arrays) array.AsSpan().Fill(1);
        Assert.All(arrays, array => Assert.InRange(ResidentPages.Of(array), (Length / Environment.SystemPageSize) - 1, int.MaxValue));
        foreach (var array in arrays) _sut.Return(array);
        _sut.Trim(long.MaxValue);
        Assert.All(arrays, array => Assert.InRange(ResidentPages.Of(array), 0, 2)); // where it begins and ends, it shares pages with others
        Assert.All(arrays, array => Assert.Equal((0, Length), (array[Length / 2], array.Length))); // they are whole, and read as zeros
        arrays[0].AsSpan().Fill(2);
        Assert.Equal(2, arrays[0][Length / 2]);
    }

    private static long AllocatedBy(Func<byte[]> rent)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        rent();
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    /// <summary>Runs something at the moment at which a timer ends: where another thread may come in between.</summary>
    private sealed class LastMomentTime(ManualTime inner) : TimeProvider
    {
        public Action? OnTimerEnded { get; set; }

        public override long TimestampFrequency => inner.TimestampFrequency;

        public override long GetTimestamp() => inner.GetTimestamp();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            new Timer(this, inner.CreateTimer(callback, state, dueTime, period));

        private sealed class Timer(LastMomentTime time, ITimer inner) : ITimer
        {
            public bool Change(TimeSpan dueTime, TimeSpan period) => inner.Change(dueTime, period);

            public void Dispose()
            {
                inner.Dispose();
                var action = time.OnTimerEnded;
                time.OnTimerEnded = null;
                action?.Invoke();
            }

            public ValueTask DisposeAsync() => inner.DisposeAsync();
        }
    }
}
