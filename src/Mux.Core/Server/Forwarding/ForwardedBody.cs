using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;
using Mux.Serialization;
using Mux.Serialization.Raw;

namespace Mux.Server;

/// <summary>Moves messages from one connection to another: one of more than one frame in the array in which it arrived, another one by a copy.</summary>
internal static class ForwardedBody
{
    /// <summary>Starts the call of a service.</summary>
    /// <param name="route">The route.</param>
    /// <param name="call">The call. It may be over when this returns.</param>
    /// <param name="keeps">The reasons for which its request is kept.</param>
    /// <param name="body">The request of the client.</param>
    public static void Start(CallRoute route, OutgoingCall call, KeepFor keeps, ReadOnlySpan<byte> body)
    {
        if (keeps == KeepFor.Nothing && body.Length <= ProtocolConstants.MaxWholeBody)
        {
            route.StartWhole(call, body);
            return;
        }

        var buffer = MessageBuffer.Rent();
        if (body.Length > ProtocolConstants.MaxWholeBody) body = Adopt(buffer, body);
        if (keeps == KeepFor.Nothing) route.StartEncoded(call, buffer, body);
        else route.StartKept(call, keeps, buffer, body);
        buffer.Return();
    }

    /// <summary>Answers the call of a client.</summary>
    /// <param name="client">The call.</param>
    /// <param name="body">The reply of the service.</param>
    public static MuxStatus Reply(in InboundCall client, ReadOnlySpan<byte> body)
    {
        if (body.Length <= ProtocolConstants.MaxWholeBody) return client.Reply(body).Status;
        var buffer = MessageBuffer.Rent();
        var status = client.Reply(Adopt(buffer, body), buffer).Status;
        buffer.Return();
        return status;
    }

    private static ReadOnlySpan<byte> Adopt(MessageBuffer buffer, ReadOnlySpan<byte> body)
    {
        var writer = buffer.CreateWriter();
        RawSerializer.Write(ref writer, RawSerializer.Read<PooledBytes>(body));
        return writer.Written;
    }
}
