using System.Runtime.CompilerServices;
using Mux.Callbacks;
using Mux.Contracts;
using Mux.Core.Tests.Topics.Sharing;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Callbacks;

/// <summary>The callbacks of one call at the side of their object, whose call ends while one of them runs.</summary>
public sealed class CallbackRunTests
{
    private readonly Signal _begun = new("the first callback");
    private readonly Signal _release = new("the release of the first callback");
    private int _calls;

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
        return new CallbackRun([new CallbackContract("ITest", 1, tell)], [this], static error => Assert.Fail(error.ToString()));
    }
}
