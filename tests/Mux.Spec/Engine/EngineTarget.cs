using Mux.Engine;
using Mux.ProtocolCases.Running;
using Mux.Runtime;
using Mux.Transports;

namespace Mux.Spec.Engine;

/// <summary>The connection of both servers and channels as it is, over real links, in either role: the one peer that takes every option and makes calls when it is asked to.</summary>
internal sealed class EngineTarget : SpecTarget, IDisposable
{
    private readonly ITransport _transport;
    private readonly ITransportListener _listener;
    private readonly bool _isAccepting;
    private TaskCompletionSource<Link> _accepted = NewAccepted();

    public EngineTarget(ITransport transport, MuxAddress address, bool isAccepting)
    {
        _transport = transport;
        _isAccepting = isAccepting;
        _listener = transport.Listen(address, link => Volatile.Read(ref _accepted).SetResult(link));
    }

    public override bool IsAccepting => _isAccepting;

    public override bool MakesCalls => true;

    public override bool TakesOptions => true;

    public override bool HasOurTexts => true;

    public override async Task<SpecSubject> OpenAsync(ConnectionOptions options, CancellationToken deadline)
    {
        var accepted = NewAccepted();
        Volatile.Write(ref _accepted, accepted);
        var dialed = _transport.CreateLink(_listener.Address);
        var subject = _isAccepting ? await AcceptAsync(new SpecWire(dialed)) : await DialAsync();
        return await subject.Wire.ConnectAsync(deadline) ? subject : throw new SpecFailure(subject.Wire.ConnectError!.Message);

        async Task<EngineSubject> AcceptAsync(SpecWire wire)
        {
            var (connection, owner) = Start(await accepted.Task.WaitAsync(deadline), options);
            return new EngineSubject(wire, connection, owner);
        }

        async Task<EngineSubject> DialAsync()
        {
            var (connection, owner) = Start(dialed, options);
            return new EngineSubject(new SpecWire(await accepted.Task.WaitAsync(deadline)), connection, owner);
        }
    }

    public void Dispose()
    {
        _listener.Dispose();
        (_transport as IDisposable)?.Dispose();
    }

    private (Connection Connection, EngineOwner Owner) Start(Link link, ConnectionOptions options)
    {
        var owner = new EngineOwner();
        var connection = new Connection(link, options, owner, new EngineMethods(), new Clock(TimeProvider.System), _isAccepting);
        connection.Start();
        return (connection, owner);
    }

    private static TaskCompletionSource<Link> NewAccepted() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
