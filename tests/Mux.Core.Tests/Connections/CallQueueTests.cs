using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

[Collection(nameof(ProcessWideCounters))]
public sealed class CallQueueTests
{
    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_ordered = new("test", "Ordered", MethodShape.Unary, takesToken: false)
    {
        Choices = new MethodChoices { Dispatch = MuxDispatchMode.Ordered },
    };

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly CallQueue _sut = new(byteLimit: 10 * (CallQueue.CallCharge + 100));

    [Fact]
    public void Calls_stand_in_order_with_copies_of_their_requests()
    {
        var body = new byte[] { 1, 2, 3 };
        var first = Enqueue(body: body);
        var second = Enqueue();
        body[0] = 99;

        Assert.Same(first, _sut.FirstOf(0));
        Assert.Equal([1, 2, 3], first.Body![..first.BodyLength]);
        Assert.Equal(CallPlace.Waiting, first.Place);
        _sut.Remove(first);
        Assert.Same(second, _sut.FirstOf(0));
        Release(first, second);
    }

    [Fact]
    public void Calls_of_several_lines_leave_in_the_order_in_which_they_came()
    {
        var down = new MethodDescriptor("test", "Down", MethodShape.ResponseStream, takesToken: false);
        OutgoingCall[] calls =
        [
            new ProbeStreamCall(down), new ProbeCall(s_echo), new ProbeCall(s_echo) { Bulk = BulkMessage.Copy(new byte[20_000]) },
            new ProbeCall(s_ordered) { Key = 7 }, new ProbeCall(s_echo), new ProbeStreamCall(down),
        ];
        foreach (var call in calls) _sut.Enqueue(call, []);

        Assert.Equal([calls[0], calls[1]], Drain(_sut.RemoveFirst(2)));
        Assert.Equal([calls[2], calls[4]], Drain(_sut.RemoveUnordered(2))); // without the one between them
        Assert.Equal([calls[3], calls[5]], Drain(_sut.RemoveAll()));
        Assert.Equal((0, 0), (_sut.Count, _sut.Bytes));
        Release(calls);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void A_call_can_leave_from_anywhere(int leaving)
    {
        var calls = Enumerable.Range(0, 3).Select(_ => Enqueue()).ToList();

        _sut.Remove(calls[leaving]);

        Assert.Equal((CallPlace.Outside, null, null), (calls[leaving].Place, calls[leaving].Next, calls[leaving].Previous));
        Assert.Equal(2, _sut.Count);
        var rest = Drain(_sut.RemoveAll());
        Assert.Equal(calls.Where(call => call != calls[leaving]), rest);
        Release([.. calls]);
    }

    [Fact]
    public void Each_call_is_charged_its_request_and_its_objects()
    {
        var calls = Enumerable.Range(0, 10).Select(_ => Enqueue(body: new byte[100])).ToArray();
        Assert.Equal(_sut.ByteLimit, _sut.Bytes);
        Assert.False(_sut.HasRoomFor(0));

        _sut.Remove(calls[4]);

        Assert.True(_sut.HasRoomFor(100));
        Assert.False(_sut.HasRoomFor(101));
        Release(calls);
    }

    [Fact]
    public void Expired_calls_leave_and_the_next_time_is_found()
    {
        var (late, soon, never, now) = (Enqueue(due: 300), Enqueue(due: 200), Enqueue(), Enqueue(due: 100));
        Assert.Equal(100, _sut.NextDue);

        var expired = Drain(_sut.RemoveExpired(200, most: 100));

        Assert.Equal([soon, now], expired.OrderByDescending(call => call.Due));
        Assert.Equal(300, _sut.NextDue);
        Assert.Equal([late, never], Drain(_sut.RemoveAll()));
        Assert.Equal((0, 0, Clock.Never), (_sut.Count, _sut.Bytes, _sut.NextDue));
        Release(late, soon, never, now);
    }

    [Fact]
    public void A_search_for_expired_calls_looks_at_some_and_continues_where_it_was()
    {
        var calls = Enumerable.Range(0, 10).Select(i => Enqueue(due: i % 2 == 0 ? 100 : 300)).ToArray();

        Assert.Equal([calls[2], calls[0]], Drain(_sut.RemoveExpired(200, most: 4)));
        Assert.Equal((100, 8), (_sut.NextDue, _sut.Count)); // there is more to look at
        _sut.Remove(calls[4]); // the next one
        Assert.Equal([calls[8], calls[6]], Drain(_sut.RemoveExpired(200, most: 100)));
        Assert.Equal((300, 5), (_sut.NextDue, _sut.Count));
        Assert.Equal(5, Drain(_sut.RemoveExpired(300, most: 5)).Count);
        Assert.Equal((Clock.Never, 0), (_sut.NextDue, _sut.Count));
        Release(calls);
    }

    [Fact]
    public void Whatever_comes_and_leaves_between_the_looks_all_that_has_expired_is_found() => Seeds.ForEach(30, seed =>
    {
        var random = new Random(seed);
        var queue = new CallQueue(long.MaxValue);
        var calls = new HashSet<OutgoingCall>();
        for (long now = 0; now < 2_000; now++)
        {
            for (int i = random.Next(4); i > 0; i--)
            {
                var call = new ProbeCall(random.Next(2) == 0 ? s_echo : s_ordered) { Key = 7, Due = random.Next(3) == 0 ? Clock.Never : now + random.Next(1, 200) };
                queue.Enqueue(call, []);
                calls.Add(call);
            }

            do
            {
                foreach (var call in Drain(queue.RemoveExpired(now, random.Next(1, 20))))
                {
                    Assert.InRange(call.Due, 0, now);
                    Assert.True(calls.Remove(call));
                    CallQueue.ReleaseBody(call);
                }

                if (random.Next(3) == 0 && calls.Count > 0)
                {
                    var leaving = calls.ElementAt(random.Next(calls.Count));
                    queue.Remove(leaving);
                    calls.Remove(leaving);
                    CallQueue.ReleaseBody(leaving);
                }

                if (random.Next(500) == 0)
                {
                    Assert.Equal(calls.Count, Drain(queue.RemoveAll()).Count);
                    foreach (var call in calls) CallQueue.ReleaseBody(call);
                    calls.Clear();
                }
            }
            while (queue.NextDue <= now);

            Assert.DoesNotContain(calls, call => call.Due <= now);
            Assert.InRange(queue.NextDue, now + 1, calls.Select(call => call.Due).Append(Clock.Never).Min());
            Assert.Equal(calls.Count, queue.Count);
        }

        Drain(queue.RemoveAll()).ForEach(CallQueue.ReleaseBody);
    });

    [Fact]
    public void Memory_goes_back_once_however_often_it_is_released()
    {
        var call = Enqueue(body: new byte[1000]);
        Assert.Equal(_buffersBefore + 1, BufferPool.Outstanding);

        CallQueue.ReleaseBody(call);
        CallQueue.ReleaseBody(call);

        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        Assert.Equal((null, 0), (call.Body, call.BodyLength));
    }

    private ProbeCall Enqueue(long due = Clock.Never, byte[]? body = null)
    {
        var call = new ProbeCall(s_echo) { Due = due };
        _sut.Enqueue(call, body ?? []);
        return call;
    }

    private static List<OutgoingCall> Drain(OutgoingCall? first)
    {
        var calls = new List<OutgoingCall>();
        for (var call = first; call is not null; call = call.Next) calls.Add(call);
        return calls;
    }

    private static void Release(params OutgoingCall[] calls) => Array.ForEach(calls, CallQueue.ReleaseBody);
}
