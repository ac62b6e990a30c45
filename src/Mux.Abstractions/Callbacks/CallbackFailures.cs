using Mux.Serialization;

namespace Mux.Callbacks;

/// <summary>Creates the failures of callbacks, at the side that calls them.</summary>
/// <param name="call">Wire name of the method that took the callbacks.</param>
/// <param name="peer">The caller. Set in each exception, so that a failure that the handler does not catch is not taken as chosen by it.</param>
internal sealed class CallbackFailures(string call, string peer)
{
    public MuxException Thrown(string method, CallbackAnswer answer) =>
        Failure(answer.Status, MuxExecution.Executed, MuxCallPhase.Handler, method, answer.Text);

    public MuxException Undecodable(string method, Exception error) => Failure(
        OutOfMemory.StatusOr(error, MuxStatus.Internal), MuxExecution.Executed, MuxCallPhase.Decode, method,
        $"the answer could not be decoded: {error.Message}", error);

    public MuxException Unencodable(string method, Exception error) => Failure(
        OutOfMemory.StatusOr(error, error is ArgumentNullException ? MuxStatus.InvalidArgument : MuxStatus.Internal),
        MuxExecution.NotExecuted, MuxCallPhase.Encode, method,
        $"the arguments could not be encoded: {error.Message}", error);

    public MuxException TooMany(string method, string what) => Failure(
        MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Queue, method,
        $"{CallbackLimits.MaxUnanswered} callbacks of the call {what}, which is the limit; await some of them first");

    public MuxException Ended(string method) => Failure(
        MuxStatus.FailedPrecondition, MuxExecution.NotExecuted, MuxCallPhase.Encode, method,
        "the call has ended, and callbacks can be called only until their handler returns");

    public MuxException EndedBefore(string method) => Failure(
        MuxStatus.Cancelled, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, method, "the call ended before the callback was answered");

    public MuxException NotAnswered(string method) => Failure(
        MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, method, "the caller has ended its answers");

    private MuxException Failure(MuxStatus status, MuxExecution execution, MuxCallPhase phase, string method, string text, Exception? error = null)
    {
        var message = phase == MuxCallPhase.Handler ? text : $"{method}, a callback of {call}, failed ({status}): {text}.";
        return new MuxException(status, execution, phase, peer, message, error) { Method = method };
    }
}
