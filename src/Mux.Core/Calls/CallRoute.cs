using Mux.Connections;
using Mux.Contracts;
using Mux.Diagnostics;
using Mux.Execution;
using Mux.Lanes;
using Mux.Serialization;
using Mux.Sessions.Calls;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Calls;

/// <summary>
/// Carries the calls of proxies: to one address, to many, or back over a connection. Calls, callers and their streams know this class alone, and not what is
/// below it. Safe for concurrent use.
/// </summary>
internal abstract class CallRoute(RouteSettings settings) : IWorkOwner
{
    public Clock Clock { get; } = settings.Clock;

    /// <summary>Microseconds that a call may take if neither its method nor its options have a deadline, or <see cref="Clock.Never"/>.</summary>
    public long Deadline { get; } = settings.Deadline;

    /// <summary>Whether calls made in handlers end no later than what these handle.</summary>
    public bool InheritsDeadlines { get; } = settings.InheritsDeadlines;

    /// <summary>Where the code after a call runs if the contract does not say.</summary>
    public MuxDispatchMode Dispatch { get; } = settings.Dispatch;

    /// <summary>Run the code after calls where that is too expensive for the turn.</summary>
    public Workers Completions { get; } = settings.Completions;

    /// <summary>Measures the calls while metrics are listened to.</summary>
    public CallDurations Durations { get; } = settings.Durations;

    /// <summary>Counts the calls, those included that no connection has seen.</summary>
    public ConnectionLedger Ledger { get; } = new();

    /// <summary>The address of a call, as failures and traces name it.</summary>
    /// <param name="call">The call; null if it was not made, because its request could not be encoded.</param>
    public abstract string EndpointOf(OutgoingCall? call);

    /// <summary>A proxy was made that calls this method.</summary>
    public abstract void Register(MethodDescriptor method);

    /// <summary>Starts an encoded call. The call's own members get its outcome, also when the route is closed.</summary>
    public abstract void Start(OutgoingCall call, ReadOnlySpan<byte> body);

    /// <summary>Starts a call whose request is in a buffer. A request of several frames is sent from that buffer.</summary>
    public void StartEncoded(OutgoingCall call, MessageBuffer buffer, ReadOnlySpan<byte> body)
    {
        if (body.Length > ProtocolConstants.MaxWholeBody)
        {
            call.Bulk = BulkMessage.Take(buffer, body);
            body = [];
        }

        Start(call, body);
    }

    /// <summary>The code after a call threw, or what was to hand it to where it runs. No caller hears of it.</summary>
    public abstract void OnUserCodeFailed(Exception error);

    /// <inheritdoc/>
    public abstract void OnStalled(WorkStall stall);
}
