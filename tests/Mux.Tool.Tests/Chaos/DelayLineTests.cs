using Mux.TestSupport.Transports;
using Mux.Tool.Chaos;

namespace Mux.Tool.Tests.Chaos;

/// <summary>The bytes under way: in order, at their time, and bounded.</summary>
public sealed class DelayLineTests
{
    [Fact]
    public async Task Bytes_are_due_at_their_time_and_those_behind_are_not()
    {
        var line = new DelayLine(1024);
        await AddAsync(line, [1, 2], due: 100);
        await AddAsync(line, [3], due: 200);

        Assert.Equal(100, await line.NextDueAsync(TestContext.Current.CancellationToken));
        Assert.Equal([1, 2], line.DueBytes(now: 199, limit: 10).ToArray());
        Assert.Equal([1, 2, 3], line.DueBytes(now: 200, limit: 10).ToArray());
        Assert.Equal([1], line.DueBytes(now: 200, limit: 1).ToArray());
        line.Release(1);
        Assert.Equal([2], line.DueBytes(now: 199, limit: 10).ToArray());
        line.Release(1);
        Assert.Equal(200, await line.NextDueAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task A_full_line_makes_its_sender_wait()
    {
        var line = new DelayLine(4);
        await AddAsync(line, [1, 2, 3, 4], due: 1);
        var space = line.SpaceAsync(TestContext.Current.CancellationToken).AsTask();
        Assert.False(space.IsCompleted);

        line.Release(3);

        Assert.Equal(3, (await space.Within("space")).Length);
        Assert.Equal(1, line.Count);
    }

    [Fact]
    public async Task The_end_comes_behind_the_bytes()
    {
        var line = new DelayLine(4);
        var next = line.NextDueAsync(TestContext.Current.CancellationToken).AsTask();
        Assert.False(next.IsCompleted);
        await AddAsync(line, [1], due: 5);
        line.Complete(StreamEnd.Reset, due: 7);

        Assert.Equal(5, await next.Within("the byte"));
        Assert.Null(line.End());
        line.Release(1);
        Assert.Equal(7, await line.NextDueAsync(TestContext.Current.CancellationToken));
        Assert.Equal(StreamEnd.Reset, line.End());
    }

    [Fact]
    public async Task Random_pieces_leave_as_they_came_and_never_beyond_the_capacity()
    {
        const int Capacity = 50_000;
        var random = new Random(TestSeed.Next());
        var line = new DelayLine(Capacity);
        byte added = 0, taken = 0;
        for (int step = 0; step < 20_000; step++)
        {
            if (random.Next(2) == 0 && line.Count < Capacity)
            {
                var space = await line.SpaceAsync(TestContext.Current.CancellationToken);
                int count = random.Next(1, Math.Min(space.Length, 40) + 1);
                for (int i = 0; i < count; i++) space.Span[i] = added++;
                line.Add(count, due: step);
            }
            else
            {
                var bytes = line.DueBytes(step, random.Next(1, 60)).ToArray();
                foreach (byte each in bytes) Assert.Equal(taken++, each);
                line.Release(bytes.Length);
            }

            Assert.InRange(line.Count, 0, Capacity);
        }
    }

    [Fact]
    public async Task Many_small_pieces_are_joined_and_none_is_lost()
    {
        var line = new DelayLine(100_000);
        for (int i = 0; i < 50_000; i++) await AddAsync(line, [(byte)i], due: i);

        int next = 0;
        while (line.Count > 0)
        {
            var bytes = line.DueBytes(now: 50_000, limit: 7_777).ToArray();
            Assert.NotEmpty(bytes);
            foreach (byte each in bytes) Assert.Equal((byte)next++, each);
            line.Release(bytes.Length);
        }

        Assert.Equal(50_000, next);
    }

    private static async Task AddAsync(DelayLine line, byte[] bytes, long due)
    {
        var space = await line.SpaceAsync(TestContext.Current.CancellationToken);
        bytes.CopyTo(space);
        line.Add(bytes.Length, due);
    }
}
