using System.Buffers.Binary;
using System.Text;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Simulation;

/// <summary>One process of the simulation: a connection, the calls it makes and the methods it offers.</summary>
internal sealed class SimulatedSide : IConnectionOwner, IMethodResolver
{
    private readonly List<SimulatedMethod> _methods;
    private readonly Random _random;
    private readonly ManualWork _work = new();
    private bool _drains;

    public SimulatedSide(SimulatedLink link, ConnectionOptions options, Clock clock, History history, Random random, bool accepting)
    {
        _random = random;
        History = history;
        Link = link;
        _methods = [.. SimulatedContract.Methods.Select(entry => new SimulatedMethod(this, entry.Method, entry.Behaviour))];
        Connection = new Connection(link, options with { Work = _work }, this, this, clock, accepting);
        Connection.Start();
    }

    public Connection Connection { get; }

    public SimulatedLink Link { get; }

    public History History { get; }

    public List<SimulatedCall> Calls { get; } = [];

    /// <summary>Calls the connection took, and those of them that are done.</summary>
    public int StartedCalls { get; private set; }

    public int DoneCalls { get; private set; }

    public ConnectionEnd? End { get; private set; }

    public bool IsReleased { get; private set; }

    public int WorkItems => _work.Count;

    public long Now => Connection.Clock.Now;

    /// <summary>What user code does from inside: handlers in the turn and continuations.</summary>
    public Action? UserCode { get; set; }

    public IEnumerable<SimulatedMethod> Busy => _methods.Where(method => method.Waiting > 0);

    public int RunningHandlersWithToken => _methods.Sum(method => method.RunningHandlersWithToken);

    public int CancelledHandlers => _methods.Sum(method => method.CancelledHandlers);

    public InboundMethod Resolve(ReadOnlySpan<byte> name, MethodShape shape)
    {
        string fullName = Encoding.UTF8.GetString(name);
        return _methods.Find(method => method.Descriptor.FullName == fullName) ?? (InboundMethod)UnknownMethod.Instance;
    }

    /// <summary>Starts a call, unless the connection takes none.</summary>
    public void StartCall(MethodDescriptor method, int length, long? deadline)
    {
        long nonce = _random.NextInt64();
        var call = new SimulatedCall(this, History, method, nonce);
        if (deadline is { } within)
        {
            call.StartedAt = Now;
            call.Due = Now + within;
        }

        var body = new byte[length];
        BinaryPrimitives.WriteInt64LittleEndian(body, nonce);
        bool taken = Connection.Initiator.TryStart(call, body);
        Assert.True(taken || _drains || Connection.State > ConnectionState.Open, "An open connection took no call.");
        if (!taken) return;
        StartedCalls++;
        Calls.Add(call);
    }

    public void RunWork() => _work.RunOne(_random);

    public void OnUserCode() => UserCode?.Invoke();

    public void OnCallDone(bool inTurn)
    {
        DoneCalls++;
        if (inTurn) OnUserCode();
    }

    public int ReplyLength() => sizeof(long) + (_random.Next(20) == 0 ? _random.Next(16_000) : _random.Next(100));

    public void OnOpened(Connection connection)
    {
    }

    public void OnDraining(Connection connection, bool byPeer) => _drains = true;

    public void OnWithdrawn(Connection connection, OutgoingCall call) => ((SimulatedCall)call).OnWithdrawn();

    public void OnUserCodeFailed(Connection connection, Exception error) => Assert.Fail($"User code failed: {error}");

    public void OnContractDiffers(Connection connection, MethodDescriptor method, string messages) => Assert.Fail($"The {messages} of {method.FullName} differ.");

    public void OnBlocked(Connection connection, Placement? code, bool refused) => Assert.Fail("No link here can be handed over.");

    public void OnStalled(WorkStall stall) => Assert.Fail("Nothing waits for a thread here.");

    public void OnEnded(Connection connection, ConnectionEnd end)
    {
        Assert.Null(End);
        End = end;
    }

    public void OnReleased(Connection connection)
    {
        Assert.False(IsReleased, "Released twice.");
        IsReleased = true;
    }
}
