using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;

namespace Mux;

/// <summary>
/// One call of a batch (<see cref="MuxCalls{TRequest, TResponse}"/>), with a result or failure of its own. Its members may be used by several threads at a
/// time. It is answered when the handler of the batch has ended.
/// </summary>
/// <typeparam name="TRequest">The argument of the method.</typeparam>
/// <typeparam name="TResponse">Its result; <see cref="MuxUnit"/> if it has none.</typeparam>
public abstract class MuxBatchedCall<TRequest, TResponse>
{
    private const int Open = 0, Answered = 1, Over = 2;

    private int _state = Open;

    /// <summary>For the runtime: creates a call.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected MuxBatchedCall(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken) =>
        (Request, Options, CancellationToken) = (request, options, cancellationToken);

    /// <summary>Gets the argument of the call.</summary>
    public TRequest Request { get; }

    /// <summary>Gets the options that came with the call: metadata, deadline, caller.</summary>
    /// <value>Null if the method of the contract has no parameter for them.</value>
    public MuxCallOptions? Options { get; }

    /// <summary>Gets a token that is cancelled when the caller cancels the call, its deadline passes, or its connection is lost. The other calls of the batch
    /// are not affected.</summary>
    public CancellationToken CancellationToken { get; }

    /// <summary>Gets a value indicating whether the call has its result or failure.</summary>
    public bool IsAnswered => Volatile.Read(ref _state) != Open;

    /// <summary>For the runtime: the result.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected TResponse? Result { get; private set; }

    /// <summary>For the runtime: the failure; null if there is a result.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected Exception? Failure { get; private set; }

    /// <summary>Answers the call.</summary>
    /// <exception cref="InvalidOperationException">The call was answered before, or the handler of its batch has ended.</exception>
    public void SetResult(TResponse result)
    {
        Take();
        Result = result;
    }

    /// <summary>Fails the call, as an exception of an ordinary handler does: a <see cref="MuxException"/> has its status and message, any other reaches the
    /// caller as <see cref="MuxStatus.Unknown"/> and is logged.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="error"/> is null.</exception>
    /// <exception cref="InvalidOperationException">The call was answered before, or the handler of its batch has ended.</exception>
    public void Fail(Exception error)
    {
        ArgumentNullException.ThrowIfNull(error);
        Take();
        Failure = error;
    }

    /// <summary>Fails the call.</summary>
    /// <param name="status">Any status except <see cref="MuxStatus.Ok"/>.</param>
    /// <param name="message">The message for the caller, up to 4,096 bytes of UTF-8; longer messages are cut.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="status"/> is Ok.</exception>
    /// <exception cref="InvalidOperationException">The call was answered before, or the handler of its batch has ended.</exception>
    public void Fail(MuxStatus status, string message) => Fail(new MuxException(status, message));

    /// <summary>For the runtime: ends a call that the handler has not answered.</summary>
    /// <returns>False if it has.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    protected bool TryEnd() => Interlocked.CompareExchange(ref _state, Over, Open) == Open;

    private void Take()
    {
        int before = Interlocked.CompareExchange(ref _state, Answered, Open);
        if (before != Open) Throw(before);
    }

    [DoesNotReturn]
    private static void Throw(int state) => throw new InvalidOperationException(state == Answered
        ? "This call was answered before: each call of a batch has one result or failure."
        : "The handler of this call's batch has ended: answer all calls before that.");
}
