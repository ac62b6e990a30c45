using Mux.Contracts;
using Mux.Description;
using Mux.Services;

namespace Mux.Reflection;

/// <summary>Describes what a server serves, as far as each caller may call it. Safe for concurrent use.</summary>
/// <param name="server">The server.</param>
internal sealed class ReflectionService(MuxServer server) : IReflection
{
    private const int Answers = 16;

    // Of whole descriptions alone: what a caller may see is not its choice, so it cannot displace the answers to others.
    private readonly AnswerCache _answers = new(Answers);

    public ValueTask<string[]> List(MuxCallOptions? options = null, CancellationToken cancellationToken = default)
    {
        var caller = CallerOf(options);
        return new([.. server.Contracts.Where(contract => contract.Methods.Any(method => server.MayCall(caller, method)))
            .Select(static contract => contract.Name).Order(StringComparer.Ordinal)]);
    }

    public ValueTask<byte[]> Describe(string[] services, MuxCallOptions? options = null, CancellationToken cancellationToken = default)
    {
        var caller = CallerOf(options);
        var all = server.Contracts;
        var shown = all.SelectMany(static contract => contract.Methods).Where(method => server.MayCall(caller, method))
            .ToDictionary(static method => method.FullName, StringComparer.Ordinal);
        var asked = services.ToHashSet(StringComparer.Ordinal);
        var contracts = all.Where(contract => asked.Count == 0 || asked.Contains(contract.Name))
            .Where(contract => contract.Methods.Any(method => shown.ContainsKey(method.FullName))).ToList();
        if (contracts.Count < asked.Count)
            throw new MuxException(MuxStatus.NotFound, "The server does not serve one of the services, or serves it to others.");
        return new(asked.Count > 0
            ? Describe(contracts, shown, isStrict: true)
            : _answers.GetOrAdd(KeyOf(all, shown), () => Describe(contracts, shown, isStrict: false)));
    }

    /// <summary>
    /// Gets the options of a caller that is served. One without an identity must be on this machine: a server without identities tells the network nothing
    /// about itself. A gateway hides where its callers are, so it must be one that the server believes, and name a user.
    /// </summary>
    private MuxCallOptions CallerOf(MuxCallOptions? options)
    {
        if (options?.Caller is not { } peer) throw new InvalidOperationException("Reflection serves the calls of peers alone.");
        if (options.IsForwarded ? server.BelievesCallerOf(options) && options.User is not null : options.User is not null || peer.IsLocal) return options;
        throw new MuxException(MuxStatus.PermissionDenied, "Reflection is for callers with an identity, or on the machine of the server. Through a gateway " +
            "it is for callers that the gateway names, if the server has the user of the gateway in Identity.Gateways.");
    }

    private static byte[] Describe(List<ServedContract> contracts, Dictionary<string, MethodDescriptor> shown, bool isStrict)
    {
        var builder = new ContractSetBuilder().Only((service, method) => shown.ContainsKey($"{service}/{method}"))
            .Authorize((service, method) => shown[$"{service}/{method}"].Authorization);
        foreach (var contract in contracts) Add(builder, contract, isStrict);
        return builder.Build().ToFileDescriptorSet();
    }

    // A bit for each method: the contracts of a server that has started do not change.
    private static string KeyOf(IReadOnlyList<ServedContract> contracts, Dictionary<string, MethodDescriptor> shown)
    {
        var bits = new List<char>();
        int count = 0;
        foreach (var method in contracts.SelectMany(static contract => contract.Methods))
        {
            if (count % 16 == 0) bits.Add('\0');
            if (shown.ContainsKey(method.FullName)) bits[^1] |= (char)(1 << (count % 16));
            count++;
        }

        return new string([.. bits]);
    }

    private static void Add(ContractSetBuilder builder, ServedContract contract, bool isStrict)
    {
        try
        {
            builder.Add(contract.Describe);
        }
        catch (InvalidOperationException) when (!isStrict)
        {
            // It was built without a description: the others are still of use.
        }
        catch (InvalidOperationException error)
        {
            throw new MuxException(MuxStatus.FailedPrecondition, $"'{contract.Name}' is served without a description. {error.Message}", error);
        }
    }
}
