using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.TestSupport.Connections;

/// <summary>Remembers what it is told of a connection.</summary>
internal sealed class RecordingOwner : IConnectionOwner
{
    public bool Opened { get; private set; }

    public bool Draining { get; private set; }

    public ConnectionEnd? End { get; private set; }

    public bool Released { get; private set; }

    public List<LeaseFrame> Leases { get; } = [];

    public List<OutgoingCall> Withdrawn { get; } = [];

    /// <summary>Their encoded requests.</summary>
    public List<byte[]> WithdrawnRequests { get; } = [];

    public bool TakesUnsentCalls { get; init; }

    /// <summary>Calls that it did not send before its end, with their failures. Their requests are kept.</summary>
    public List<(OutgoingCall Call, CallFailure Failure)> Unsent { get; } = [];

    public List<Exception> UserErrors { get; } = [];

    public List<string> ContractDifferences { get; } = [];

    public List<(Placement? Code, bool Refused)> Blocked { get; } = [];

    public void OnOpened(Connection connection)
    {
        Assert.False(Opened, "Opened twice.");
        Opened = true;
    }

    public void OnDraining(Connection connection, bool byPeer) => Draining = true;

    public void OnLease(Connection connection, in LeaseFrame lease) => Leases.Add(lease);

    public void OnWithdrawn(Connection connection, OutgoingCall call)
    {
        WithdrawnRequests.Add(call.Body is { } body ? body[..call.BodyLength] : []);
        CallQueue.ReleaseBody(call);
        Withdrawn.Add(call);
    }

    public void OnUnsent(Connection connection, OutgoingCall call, CallFailure failure)
    {
        Assert.NotNull(End); // the owner knows of the end by then
        Unsent.Add((call, failure));
    }

    public void OnUserCodeFailed(Connection connection, Exception error) => UserErrors.Add(error);

    public void OnContractDiffers(Connection connection, MethodDescriptor method, string messages) => ContractDifferences.Add($"{messages} of {method.FullName}");

    public void OnBlocked(Connection connection, Placement? code, bool refused) => Blocked.Add((code, refused));

    public void OnStalled(WorkStall stall)
    {
    }

    public void OnEnded(Connection connection, ConnectionEnd end)
    {
        Assert.Null(End);
        End = end;
    }

    public void OnReleased(Connection connection)
    {
        Assert.False(Released, "Released twice.");
        Assert.NotNull(End); // the release comes last
        Released = true;
    }
}
