using Mux.Contracts;
using Mux.Protobuf;
using Mux.Serialization;

namespace Mux.Server;

/// <summary>Writes and reads grpc.health.v1.HealthCheckResponse: a status.</summary>
/// <param name="name">The method, for errors.</param>
internal sealed class HealthReplyCodec(string name) : MessageCodec<HealthStatus>(name)
{
    private const string Schema = "grpc.health.v1.HealthCheckResponse(1 status)";
    private const int MaxSize = 2;

    public override void Encode(ref MessageWriter writer, HealthStatus message)
    {
        if (message == HealthStatus.Unknown) return;
        var run = writer.BeginFields(MaxSize);
        run.Varint(1 << 3, (uint)message);
        writer.EndFields(run);
    }

    public override HealthStatus Decode(ReadOnlySpan<byte> body)
    {
        var reader = new MessageReader(body, Schema);
        uint status = 0;
        uint tag;
        while ((tag = reader.ReadTag()) != 0)
        {
            if (tag >> 3 == 1) status = reader.ReadUInt32(tag);
            else reader.Skip(tag);
        }

        return (HealthStatus)status;
    }
}
