using System.Runtime.CompilerServices;
using Mux.Callbacks;
using Mux.Contracts;
using Mux.Core.Tests.Topics.Sharing;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Callbacks;

/// <summary>The callbacks of one call at the side of their object, one of which does not return: how many wait behind it, and what the end of the call does.</summary>
public sealed class CallbackRunTests
{
    private Signal _begun = new("the first callback");
    private Signal _release = new("the release of the first callback");
    private int _calls;

    [Fact]
    public async Task The_reader_waits_while_as_many_callbacks_wait_as_may()
    {
        var sut = Begin();
        await FillAsync(sut);
        var room = sut.WaitForRoomAsync().AsTask();
        Assert.False(room.IsCompleted);
        _release.Set();
        await room.Within("room for another callback");
        await sut.WaitForCallbacksAsync().Within("the end of all callbacks");
        Assert.Equal(1 + CallbackLimits.MaxWaiting, _calls);
        Assert.True(HasRoom(sut));
    }

    [Fact]
    public async Task The_reader_does_not_wait_behind_a_callback_that_may_be_cancelled_and_waits_again_when_it_has_returned()
    {
        var sut = Begin();
        Assert.Null(sut.Take(Message(1)));
        await _begun.WaitAsync();
        for (int i = 0; i < CallbackLimits.MaxBehind; i++)
        {
            Assert.Null(sut.Take(Message(0)));
            Assert.True(HasRoom(sut));
        }

        Assert.Equal("more than 1024 callbacks wait behind one that has no answer", sut.Take(Message(0)));
        _release.Set();
        await sut.WaitForCallbacksAsync().Within("the end of all callbacks");

        (_begun, _release) = (new Signal("a callback after them"), new Signal("the release of a callback after them"));
        await FillAsync(sut);
        Assert.False(HasRoom(sut));
        _release.Set();
        await sut.WaitForCallbacksAsync().Within("the end of the last callbacks");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_reader_no_longer_waits_when_the_call_or_its_stream_is_over(bool isEnded)
    {
        using var over = new CancellationTokenSource();
        var sut = Begin();
        await using var answers = sut.GetAsyncEnumerator(over.Token);
        var answer = answers.MoveNextAsync().AsTask();
        await FillAsync(sut);
        var room = sut.WaitForRoomAsync().AsTask();
        Assert.False(room.IsCompleted);
        if (isEnded) sut.End();
        else await over.CancelAsync();
        await room.Within("the reader");
        Assert.True(HasRoom(sut));
        await over.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => answer.Within("the end of the answers"));
        _release.Set();
        await sut.WaitForCallbacksAsync().Within("the end of all callbacks");
        Assert.Equal(isEnded ? 1 : 1 + CallbackLimits.MaxWaiting, _calls);
    }

    [Fact]
    public async Task Callbacks_that_wait_when_their_call_ends_keep_no_memory_while_another_one_does_not_return()
    {
        var sut = Begin();
        Assert.Null(sut.Take(Message(0)));
        await _begun.WaitAsync();
        var waiting = Wait(sut);
        sut.End();
        await Eventually.Holds(() => IsCollected(waiting), "a callback that waits to be dropped");
        _release.Set();
        await sut.WaitForCallbacksAsync().Within("the end of all callbacks");
        Assert.Equal(1, _calls);
    }

    [Fact]
    public async Task Callbacks_that_wait_when_their_call_ends_are_not_answered()
    {
        const int Waiting = 10;
        var sut = Begin();
        for (uint id = 1; id <= 1 + Waiting; id++) Assert.Null(sut.Take(Message(id)));
        await _begun.WaitAsync();
        sut.End();
        _release.Set();
        await sut.WaitForCallbacksAsync().Within("the end of all callbacks");
        await using var answers = sut.GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await answers.MoveNextAsync().AsTask().Within("the answer of the callback that ran"));
        Assert.Equal((1UL, MuxStatus.Ok), (answers.Current.Id, answers.Current.Status));
        sut.Answer(new CallbackAnswer { Id = ulong.MaxValue });
        Assert.True(await answers.MoveNextAsync().AsTask().Within("the answer of the test"));
        Assert.Equal(ulong.MaxValue, answers.Current.Id);
    }

    /// <summary>Lets one callback run, and as many wait as may.</summary>
    private async Task FillAsync(CallbackRun sut)
    {
        Assert.Null(sut.Take(Message(0)));
        await _begun.WaitAsync();
        for (int i = 0; i < CallbackLimits.MaxWaiting; i++)
        {
            Assert.True(HasRoom(sut));
            Assert.Null(sut.Take(Message(0)));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)] // nothing of it stays on the stack
    private static WeakReference Wait(CallbackRun sut)
    {
        var message = Message(0);
        Assert.Null(sut.Take(message));
        return new WeakReference(message);
    }

    private static bool IsCollected(WeakReference waiting)
    {
        GC.Collect();
        return !waiting.IsAlive;
    }

    private static bool HasRoom(CallbackRun sut) => sut.WaitForRoomAsync().AsTask().IsCompletedSuccessfully;

    private static CallbackMessage Message(uint id) => new() { Id = id, Method = "Tell", Body = new byte[8] };

    private CallbackRun Begin()
    {
        var bytes = new BytesCodec();
        var tell = new CallbackMethod<byte[], MuxUnit>("Tell", bytes, new EmptyCodec("test"), async (_, _, _) =>
        {
            Interlocked.Increment(ref _calls);
            _begun.Set();
            await _release.WaitAsync();
            return default;
        });
        return new CallbackRun([new CallbackContract("ITest", 1, tell)], [this], static (_, error) => Assert.Fail(error.ToString()));
    }
}
