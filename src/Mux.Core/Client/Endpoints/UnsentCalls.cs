using Mux.Engine;

namespace Mux.Client;

/// <summary>
/// Calls that were taken out of the queue, linked by <see cref="OutgoingCall.Next"/>, and fail. On a thread that may block: code of their callers follows.
/// </summary>
/// <param name="route">The route of the calls.</param>
/// <param name="calls">The calls.</param>
/// <param name="failure">Their failure.</param>
internal sealed class UnsentCalls(DialingRoute route, OutgoingCall? calls, CallFailure failure) : IThreadPoolWorkItem
{
    public void Execute() => FailAll(route, calls, failure);

    /// <summary>Fails the calls of a list, in order.</summary>
    public static void FailAll(DialingRoute route, OutgoingCall? calls, CallFailure failure)
    {
        while (calls is { } call)
        {
            calls = call.Next;
            call.Next = null;
            route.FailOutside(call, failure);
        }
    }
}
