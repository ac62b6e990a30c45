namespace Mux.Tests.Contracts;

/// <summary>Handlers that block their thread, in each way that users find.</summary>
[MuxService("test.Blocking")]
public interface IBlocking
{
    /// <summary>Blocks until another server has answered, with so many bytes.</summary>
    ValueTask<byte[]> BlockOnBack(int replyBytes);

    /// <summary>Awaits the same.</summary>
    ValueTask<byte[]> AwaitBack(int replyBytes);

    /// <summary>Blocks as <see cref="BlockOnBack"/> does, for 1 s at most, and answers with the status of the call that it makes.</summary>
    ValueTask<MuxStatus> BlockOnBackForASecond(int replyBytes);

    /// <summary>Blocks on a call to its own server, which does the same, until the depth is 0.</summary>
    ValueTask<int> Descend(int depth);

    /// <summary>Blocks until it is told to wake.</summary>
    ValueTask<int> Sleep(int number);

    /// <summary>The same where requests are received.</summary>
    [MuxMethod(Dispatch = MuxDispatchMode.Inline)]
    ValueTask<int> SleepInline(int number);

    /// <summary>Answers at once.</summary>
    ValueTask<int> Echo(int number);

    /// <summary>How much waits for a thread.</summary>
    ValueTask<int> Waiting();

    /// <summary>Blocks until its own server has added up so many numbers, which it sends as a stream.</summary>
    ValueTask<long> BlockOnStream(int count);

    ValueTask<long> Total(IAsyncEnumerable<int> numbers);

    /// <summary>Waits until its token is cancelled.</summary>
    ValueTask WaitForCancel(CancellationToken cancellationToken = default);

    /// <summary>Calls of <see cref="WaitForCancel"/> whose token was cancelled.</summary>
    ValueTask<int> Cancelled();

    /// <summary>Awaits another server, and blocks until it is told to wake where the reply has come.</summary>
    ValueTask<int> SleepAfterBack(int number);
}
