using Mux.Description;
using Mux.Services;

namespace Mux.Reflection;

/// <summary>Describes what a server serves, as far as each caller may call it. Safe for concurrent use.</summary>
/// <param name="server">The server.</param>
internal sealed class ReflectionService(MuxServer server) : IReflection
{
    private Answer? _last; // most callers ask for the same

    public ValueTask<string[]> List(MuxCallOptions? options = null, CancellationToken cancellationToken = default)
    {
        var caller = CallerOf(options);
        return new([.. server.Contracts.Where(contract => contract.Methods.Any(method => server.MayCall(caller, method)))
            .Select(static contract => contract.Name).Order(StringComparer.Ordinal)]);
    }

    public ValueTask<byte[]> Describe(string[] services, MuxCallOptions? options = null, CancellationToken cancellationToken = default)
    {
        var caller = CallerOf(options);
        var shown = server.Contracts.SelectMany(static contract => contract.Methods).Where(method => server.MayCall(caller, method))
            .Select(static method => method.FullName).ToHashSet(StringComparer.Ordinal);
        var asked = services.ToHashSet(StringComparer.Ordinal);
        var contracts = server.Contracts.Where(contract => asked.Count == 0 || asked.Contains(contract.Name))
            .Where(contract => contract.Methods.Any(method => shown.Contains(method.FullName))).ToList();
        if (contracts.Count < asked.Count)
            throw new MuxException(MuxStatus.NotFound, "The server does not serve one of the services, or serves it to others.");
        return new(Describe(contracts, shown, isStrict: asked.Count > 0));
    }

    /// <summary>
    /// Gets the caller. One without an identity must be on this machine: a server that authenticates nobody tells the network nothing of itself. No caller is
    /// served through a gateway, whose place and identity are not those of its caller.
    /// </summary>
    private static MuxPeer CallerOf(MuxCallOptions? options)
    {
        if (options?.Caller is not { } caller) throw new InvalidOperationException("Reflection serves the calls of peers alone.");
        if (!options.IsForwarded && (options.User is not null || caller.IsLocal)) return caller;
        throw new MuxException(
            MuxStatus.PermissionDenied, "Reflection is for callers with an identity, or on the machine of the server, and not through a gateway.");
    }

    private byte[] Describe(List<ServedContract> contracts, HashSet<string> shown, bool isStrict)
    {
        var key = string.Join('\n', contracts.SelectMany(static contract => contract.Methods).Select(static method => method.FullName).Where(shown.Contains));
        if (_last is { } last && last.Key == key && last.IsStrict == isStrict) return last.Set;
        var builder = new ContractSetBuilder().Only((service, method) => shown.Contains($"{service}/{method}"));
        foreach (var contract in contracts) Add(builder, contract, isStrict);
        var set = builder.Build().ToFileDescriptorSet();
        _last = new Answer(key, isStrict, set);
        return set;
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

    /// <summary>The answer to one set of visible methods.</summary>
    private sealed record Answer(string Key, bool IsStrict, byte[] Set);
}
