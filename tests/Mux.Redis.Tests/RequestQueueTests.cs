using Mux.TestSupport.Transports;

namespace Mux.Redis.Tests;

/// <summary>How many requests wait for Redis, and when there is room again.</summary>
public sealed class RequestQueueTests : IDisposable
{
    private const int MostMessages = 4, MostBytes = 100;

    private static readonly RedisNames s_names = new("mux", "test");

    private readonly RequestQueue _sut = new(MostMessages, MostBytes);

    [Fact]
    public void A_queue_holds_as_many_messages_as_it_may_until_they_are_answered()
    {
        var messages = Enumerable.Range(0, MostMessages).Select(static _ => Send(1)).ToList();
        Assert.All(messages, message => Assert.True(_sut.TryAdd(message)));
        Assert.False(_sut.TryAdd(Send(1)));
        Assert.True(_sut.TryTake(out var taken));
        Assert.False(_sut.TryAdd(Send(1))); // that it is sent is no answer
        _sut.OnDone(taken);
        Assert.True(_sut.TryAdd(Send(1)));
        Assert.Equal(MostMessages, _sut.Messages);
    }

    [Fact]
    public void A_queue_holds_as_many_bytes_as_it_may_until_they_are_answered()
    {
        var first = Send(60);
        Assert.True(_sut.TryAdd(first));
        Assert.False(_sut.TryAdd(Send(41)));
        Assert.True(_sut.TryAdd(Send(40)));
        _sut.OnDone(first);
        Assert.False(_sut.TryAdd(Send(61)));
        Assert.True(_sut.TryAdd(Send(60)));
        Assert.Equal(2, _sut.Messages);
    }

    [Fact]
    public void Questions_take_no_room_and_requests_stay_in_order()
    {
        var requests = new List<RedisRequest>();
        for (int i = 0; i < MostMessages; i++) requests.AddRange([Send(1), Look(), Look()]);
        Assert.All(requests, request => Assert.True(_sut.TryAdd(request)));
        Assert.Equal(MostMessages, _sut.Messages);
        foreach (var request in requests)
        {
            Assert.True(_sut.TryTake(out var taken));
            Assert.Same(request, taken);
            _sut.OnDone(taken);
        }

        Assert.False(_sut.TryTake(out _));
        Assert.Equal(0, _sut.Messages);
    }

    [Fact]
    public async Task A_queue_is_empty_when_every_message_is_answered_and_not_before()
    {
        await _sut.WhenEmpty().Within("a queue without messages");
        RedisRequest[] messages = [Send(1), Send(1)];
        Assert.All(messages, message => Assert.True(_sut.TryAdd(message)));
        var empty = _sut.WhenEmpty();
        while (_sut.TryTake(out _))
        {
        }

        _sut.OnDone(messages[0]);
        _sut.OnDone(Look());
        Assert.False(empty.IsCompleted);
        _sut.OnDone(messages[1]);
        await empty.Within("a queue whose messages were answered");
    }

    public void Dispose() => _sut.Dispose();

    private static SendRequest Send(int bytes) => new(0, s_names, new byte[bytes], static (_, _) => { });

    private static LookRequest Look() => new(0, s_names, retained: 1, Guid.NewGuid());
}
