using Mux.Contracts;
using Mux.Description;
using Mux.Description.Json;

namespace Mux.Tool.Contracts;

/// <summary>A method that a command calls by its name, and the JSON of its messages.</summary>
internal sealed class CalledMethod
{
    private CalledMethod(ContractSet set, ServiceType service, MethodType method, bool writesDefaults)
    {
        (Service, Method) = (service.Name, method);
        Request = new MessageText(method.Request, method.Format, set);
        Response = new MessageText(method.Response, method.Format, set, writesDefaults);
        Arguments = method.Arguments is { } arguments ? new MessageText(arguments, method.Format, set) : null;
        Details = new DetailText(method.Details, set, writesDefaults);
    }

    public string Service { get; }

    /// <summary>Gets SERVICE/METHOD.</summary>
    public string Name => $"{Service}/{Method.Name}";

    public MethodType Method { get; }

    /// <summary>Gets the JSON of requests, or of items of the request stream.</summary>
    public MessageText Request { get; }

    public MessageText Response { get; }

    /// <summary>Gets the JSON of the message before the request stream; null if there is none.</summary>
    public MessageText? Arguments { get; }

    public DetailText Details { get; }

    public MethodShape Shape => (Method.IsRequestStream ? MethodShape.RequestStream : 0)
        | (Method.IsResponseStream ? MethodShape.ResponseStream : 0)
        | (Method.IsOneWay ? MethodShape.OneWay : 0);

    /// <param name="source">What describes it.</param>
    /// <param name="name">SERVICE/METHOD.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <param name="writesDefaults">
    /// True to write fields of replies without presence also where they are zero or empty.
    /// </param>
    /// <exception cref="ToolException">There is no such method, or its messages have no JSON.</exception>
    public static async Task<CalledMethod> FindAsync(
        ContractSource source, string name, CancellationToken cancellationToken, bool writesDefaults = false)
    {
        int slash = name.LastIndexOf('/');
        if (slash < 1 || slash == name.Length - 1)
            throw new ToolException(ExitCode.Usage,
                $"METHOD '{name}': expected SERVICE/METHOD, such as shop.Orders/Find.");
        var services = await source.ListAsync(cancellationToken).ConfigureAwait(false);
        if (!services.Contains(name[..slash], StringComparer.Ordinal))
            throw Missing(source, "service", name[..slash], services);
        var set = await source.ReadAsync([name[..slash]], cancellationToken).ConfigureAwait(false);
        var service = set.FindService(name[..slash]) ?? throw Missing(source, "service", name[..slash], []);
        var method = service.Methods.FirstOrDefault(method => method.Name == name[(slash + 1)..])
            ?? throw Missing(source, "method", name,
                [.. service.Methods.Select(method => $"{service.Name}/{method.Name}")]);
        return new CalledMethod(set, service, method, writesDefaults);
    }

    public RawCaller CreateCaller(MuxChannel channel) =>
        channel.CreateRawCaller(Service, Method.Name, Shape, Method.Format);

    private static ToolException Missing(ContractSource source, string kind, string name, IReadOnlyList<string> known)
    {
        const int most = 10;
        var nearest = NearName.Find(name, known);
        var list = $"it has {string.Join(", ", known.Take(most))}{(known.Count > most ? ", ..." : "")}";
        var hint = nearest is not null ? $"; did you mean '{nearest}'?" : known.Count > 0 ? $": {list}." : ".";
        return new ToolException(ExitCode.Usage, $"{source.Place} has no {kind} '{name}'{hint}");
    }
}
