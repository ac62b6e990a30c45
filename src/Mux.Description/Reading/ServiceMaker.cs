using Mux.Contracts;
using Mux.Description.Proto;

namespace Mux.Description.Reading;

/// <summary>Makes services of their descriptions, when all messages are known.</summary>
internal sealed class ServiceMaker(ProtoSet set, Dictionary<string, MessageType> messages)
{
    private readonly Dictionary<string, ServiceType> _services = new(StringComparer.Ordinal);

    public IReadOnlyList<ServiceType> Make()
    {
        var wireNames = new HashSet<string>(StringComparer.Ordinal);
        foreach (var service in set.Services)
        {
            var made = Make(service);
            if (!wireNames.Add(made.Name)) DescriptionFault.Throw($"the service '{service}'", $"has the wire name '{made.Name}', which another one has");
            _services.Add(made.FullName, made);
        }

        foreach (var service in set.Services)
        {
            for (int i = 0; i < service.Methods.Count; i++) Resolve(service.Methods[i], _services[service.FullName].Methods[i]);
        }

        return [.. _services.Values.OrderBy(static service => service.Name, StringComparer.Ordinal)];
    }

    private static MethodAuthorization? AuthorizationOf(ProtoAuthorization? found) =>
        found is null ? null : new MethodAuthorization(found.AllowsAnonymous, found.RequiresUser, found.Policies, found.Roles);

    private ServiceType Make(ProtoService service)
    {
        var place = $"the service '{service}'";
        var methods = service.Methods.ConvertAll(Make);
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var method in methods)
        {
            if (!names.Add(method.Name)) DescriptionFault.Throw(place, $"has the method '{method.Name}' twice");
        }

        var wireName = NameRules.CheckWireName(service.WireName ?? service.FullName, place);
        return new ServiceType(service.FullName, wireName, service.IsCallback) { Methods = methods };
    }

    private MethodType Make(ProtoMethod method)
    {
        var place = $"the method '{method}'";
        var options = method.Options;
        var wireName = NameRules.CheckWireName(options.WireName ?? method.Name, place);
        return new MethodType(wireName, messages[method.RequestName], messages[method.ResponseName])
        {
            IsRequestStream = method.IsRequestStream,
            IsResponseStream = method.IsResponseStream,
            IsOneWay = options.IsOneWay,
            IsIdempotent = method.IdempotencyLevel is 1 or 2, // without side effects, or idempotent
            Timeout = options.TimeoutMilliseconds > 0 ? TimeSpan.FromMilliseconds(options.TimeoutMilliseconds) : null,
            MaxMessageBytes = options.MaxMessageBytes > 0 ? options.MaxMessageBytes : null,
            Priority = (MuxCallPriority)options.Priority,
            Format = options.Format is { } format ? NameRules.CheckWireName(format, place) : "protobuf",
            Authorization = AuthorizationOf(options.Authorization),
            RequestFingerprint = options.RequestFingerprint,
            ResponseFingerprint = options.ResponseFingerprint,
        };
    }

    private void Resolve(ProtoMethod method, MethodType made)
    {
        var place = $"the method '{method}'";
        var options = method.Options;
        if (options.Arguments is { } arguments) made.Arguments = Find(messages, "message", arguments, place);
        if (options.Details.Count > 0)
        {
            var details = new Dictionary<int, MessageType?>();
            foreach (var (number, message) in options.Details)
            {
                if (!details.TryAdd(number, message is null ? null : Find(messages, "message", message, place)))
                    DescriptionFault.Throw(place, $"has the error detail {number} twice");
            }

            made.Details = details;
        }

        if (options.Callbacks.Count > 0) made.Callbacks = options.Callbacks.ConvertAll(name => Find(_services, "service", name, place));
    }

    private static T Find<T>(Dictionary<string, T> known, string kind, string fullName, string place)
        where T : class
    {
        if (known.TryGetValue(fullName, out var found)) return found;
        DescriptionFault.Throw(place, $"names the {kind} {DescriptionFault.Quote(fullName)}, which no file declares");
        return null;
    }
}
