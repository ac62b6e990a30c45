using Mux.Callbacks;
using Mux.Contracts;
using Mux.Core.Tests.Topics.Sharing;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Callbacks;

/// <summary>One-way callbacks that wait to be sent, and a stream of messages that is not read to its end.</summary>
public sealed class CallbackSendTests
{
    private static readonly BytesCodec s_bytes = new();
    private static readonly CallbackMethod<byte[], MuxUnit> s_tell = new("Tell", s_bytes, new EmptyCodec("test"), static (_, _, _) => default) { IsOneWay = true };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Callbacks_that_no_longer_wait_to_be_sent_make_room_for_others(bool areCancelled)
    {
        using var sut = new CallbackSession(new CallbackFailures("test", "nowhere"), CancellationToken.None);
        var caller = new CallbackCaller(sut, 0, "ITest");
        for (int i = 0; i < CallbackLimits.MaxUnanswered; i++) await TellAsync(caller, CancellationToken.None).Within("a callback for which there is room");
        for (int i = 0; i < 3 * CallbackLimits.MaxUnanswered; i++)
        {
            using var cancellation = new CancellationTokenSource();
            var waiting = TellAsync(caller, cancellation.Token);
            Assert.False(waiting.IsCompleted);
            if (areCancelled)
            {
                await cancellation.CancelAsync();
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.Within("a callback that is cancelled while it waits"));
            }
            else
            {
                Assert.True(sut.TryTakeMessage(out _));
                await waiting.Within("a callback for which there is room now");
            }
        }
    }

    [Fact]
    public async Task A_stream_of_messages_that_is_dropped_ends_the_handler()
    {
        var ended = new Signal("the end of the handler");
        var sut = new CallbackShape<byte[], MuxUnit>("test", new EmptyCodec("test"), async (_, _, callers, _, token) =>
        {
            await TellAsync(callers[0], token);
            await using var registration = token.Register(ended.Set);
            await ended.WaitAsync();
            return default;
        }, new CallbackContract("ITest", 1, s_tell));
        var messages = sut.Serve(this, [], new AnswerSource(), null, CancellationToken.None).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await messages.MoveNextAsync().AsTask().Within("the first message"));
        Assert.Equal("Tell", messages.Current.Method);
        await messages.DisposeAsync().AsTask().Within("the end of the stream");
        Assert.True(ended.IsSet);
    }

    private static Task TellAsync(CallbackCaller caller, CancellationToken cancellationToken) =>
        caller.CallWithoutResultAsync(s_tell, [1], cancellationToken).AsTask();
}
