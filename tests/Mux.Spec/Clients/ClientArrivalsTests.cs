using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Clients;
using Mux.ProtocolCases.Running;
using Mux.TestSupport.Transports;
using Mux.Transports.Sockets;

namespace Mux.Spec.Clients;

/// <summary>Connections of a client wait until they are asked for, as long as the client does.</summary>
public sealed class ClientArrivalsTests : IDisposable
{
    private readonly SocketTransport _transport = new();
    private readonly CancellationTokenSource _deadline = new(Awaited.Patience);
    private readonly ClientArrivals _sut;

    public ClientArrivalsTests() => _sut = new ClientArrivals(_transport, MuxAddress.Parse("mux://127.0.0.1:0"));

    [Fact]
    public async Task A_connection_that_waited_longer_than_its_client_is_closed_and_the_next_one_taken()
    {
        var waited = await DialAsync([.. Raw.Hello(1, 1), .. GoAway(ConnectionCode.SlowPeer)]);
        await _sut.WaitAsync(_deadline.Token);
        await DialAsync(Raw.Hello(1, 2));

        Assert.Equal(2, (await (await _sut.NextAsync(_deadline.Token)).ReadAsync(_deadline.Token))!.Payload[1]);
        await waited.EndAsync(_deadline.Token);
    }

    [Fact]
    public async Task A_connection_that_its_client_has_ended_for_another_reason_is_judged()
    {
        await DialAsync([.. Raw.Hello(1, 1), .. GoAway(ConnectionCode.ProtocolError)]);
        var wire = await _sut.NextAsync(_deadline.Token);

        await wire.ReadAsync(_deadline.Token);
        Assert.Equal(FrameKind.GoAway, (await wire.ReadAsync(_deadline.Token))!.Kind);
    }

    public void Dispose()
    {
        _sut.Dispose();
        _deadline.Dispose();
    }

    private static byte[] GoAway(ConnectionCode code) => Raw.Frame(FrameKind.GoAway, default, [.. Raw.U16((ushort)code), 0, 0, 0, 0]);

    private async Task<SpecWire> DialAsync(byte[] bytes)
    {
        var wire = new SpecWire(_transport.CreateLink(_sut.Address));
        Assert.True(await wire.ConnectAsync(_deadline.Token));
        await wire.SendAsync(bytes, _deadline.Token); // in one piece, so that it arrives in one
        return wire;
    }
}
