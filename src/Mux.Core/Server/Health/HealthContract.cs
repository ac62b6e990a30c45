using Mux.Contracts;
using Mux.Protobuf;
using Mux.Serialization;
using Mux.Services;

namespace Mux.Server;

/// <summary>
/// The contract grpc.health.v1.Health, with the names and messages of gRPC, so that stubs of other languages fit. Written by hand: the engine is built without
/// the generator. Every peer may call it, as there, whatever the server asks of its callers.
/// </summary>
internal sealed class HealthContract : ServedContract
{
    public const string Service = "grpc.health.v1.Health";

    private const string Package = "grpc.health.v1";

    // message HealthCheckRequest { string service = 1; }
    private const string RequestDescriptor = "ChJIZWFsdGhDaGVja1JlcXVlc3QSGAoHc2VydmljZRgBIAEoCVIHc2VydmljZQ==";

    // message HealthCheckResponse { enum ServingStatus { UNKNOWN = 0; SERVING = 1; NOT_SERVING = 2; SERVICE_UNKNOWN = 3; } ServingStatus status = 1; }
    private const string ReplyDescriptor =
        "ChNIZWFsdGhDaGVja1Jlc3BvbnNlEkkKBnN0YXR1cxgBIAEoDjIxLmdycGMuaGVhbHRoLnYxLkhlYWx0aENoZWNrUmVzcG9uc2UuU2VydmluZ1" +
        "N0YXR1c1IGc3RhdHVzIk8KDVNlcnZpbmdTdGF0dXMSCwoHVU5LTk9XThAAEgsKB1NFUlZJTkcQARIPCgtOT1RfU0VSVklORxACEhMKD1NFUlZJQ0VfVU5LTk9XThAD";

    // service Health { Check and Watch, with the authorization allows_anonymous }
    private const string ServiceDescriptor =
        "CgZIZWFsdGgSWgoFQ2hlY2sSIi5ncnBjLmhlYWx0aC52MS5IZWFsdGhDaGVja1JlcXVlc3QaIy5ncnBjLmhlYWx0aC52MS5IZWFsdGhDaGVja1Jl" +
        "c3BvbnNlIgjC8xgESgIIARJcCgVXYXRjaBIiLmdycGMuaGVhbHRoLnYxLkhlYWx0aENoZWNrUmVxdWVzdBojLmdycGMuaGVhbHRoLnYxLkhlYWx0aENoZWNrUmVzcG9uc2Ui" +
        "CMLzGARKAggBMAE=";

    private static readonly MethodAuthorization s_everybody = new(allowsAnonymous: true, requiresUser: false, [], []);

    private static readonly UnaryMethod<string, HealthStatus> s_check = new(
        new MethodDescriptor(Service, "Check", MethodShape.Unary, takesToken: false)
        {
            Authorization = s_everybody,
            Choices = new MethodChoices { Idempotent = true },
        },
        new HealthRequestCodec($"{Service}/Check"),
        new HealthReplyCodec($"{Service}/Check"),
        static (service, name, _, _) => new ValueTask<HealthStatus>(((HealthService)service).Check(name)));

    private static readonly StreamMethod<string, MuxUnit, HealthStatus> s_watch = new(
        new MethodDescriptor(Service, "Watch", MethodShape.ResponseStream, takesToken: true) { Authorization = s_everybody, TakesOptions = true },
        new HealthRequestCodec($"{Service}/Watch"),
        new EmptyCodec($"{Service}/Watch"),
        new HealthReplyCodec($"{Service}/Watch"))
    {
        Invoke = static (service, name, _, options, cancellationToken) => ((HealthService)service).WatchAsync(name, options!.Caller!, cancellationToken),
    };

    private HealthContract()
        : base(Service, [s_check.Descriptor, s_watch.Descriptor])
    {
    }

    public static HealthContract Instance { get; } = new();

    /// <summary>Lists the methods.</summary>
    public static void List(IMethodVisitor visitor)
    {
        visitor.Unary(s_check);
        visitor.Stream(s_watch);
    }

    public override void Describe(ContractDescription description)
    {
        description.AddMessage(Package, Convert.FromBase64String(RequestDescriptor));
        description.AddMessage(Package, Convert.FromBase64String(ReplyDescriptor));
        description.AddService(Package, Convert.FromBase64String(ServiceDescriptor));
    }
}

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
