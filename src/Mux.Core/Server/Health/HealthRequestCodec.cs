using Mux.Contracts;
using Mux.Protobuf;
using Mux.Serialization;

namespace Mux.Server;

/// <summary>Writes and reads grpc.health.v1.HealthCheckRequest: the name of a service.</summary>
/// <param name="name">The method, for errors.</param>
internal sealed class HealthRequestCodec(string name) : MessageCodec<string>(name)
{
    private const string Schema = "grpc.health.v1.HealthCheckRequest(1 service)";
    private const uint ServiceTag = (1 << 3) | 2;

    public override void Encode(ref MessageWriter writer, string message)
    {
        if (message.Length > 0) writer.WriteString(ServiceTag, message);
    }

    public override string Decode(ReadOnlySpan<byte> body)
    {
        var reader = new MessageReader(body, Schema);
        var service = string.Empty;
        uint tag;
        while ((tag = reader.ReadTag()) != 0)
        {
            if (tag >> 3 == 1) service = reader.ReadString(tag);
            else reader.Skip(tag);
        }

        return service;
    }
}
