using Mux.Contracts;
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
