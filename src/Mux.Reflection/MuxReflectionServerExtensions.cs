using Mux.Contracts;

namespace Mux.Reflection;

/// <summary>Lets servers without a host describe their contracts.</summary>
public static class MuxReflectionServerExtensions
{
    /// <summary>
    /// Serves <see cref="IReflection"/>: the server describes its contracts to its callers, to each what it may call. Nothing is described before a
    /// caller asks.
    /// </summary>
    /// <remarks>
    /// A caller without an identity is served only if it is on this machine, and not if a gateway forwards its call. A proxy on this machine hides where its
    /// clients are: authenticate them, or do not add reflection.
    /// </remarks>
    /// <param name="server">The server, before it starts.</param>
    /// <param name="policy">Name of a policy that callers must meet; null for all callers with an identity or on this machine.</param>
    /// <returns>The server.</returns>
    /// <exception cref="InvalidOperationException">It was added before, or the server was started.</exception>
    public static MuxServer AddReflection(this MuxServer server, string? policy = null)
    {
        ArgumentNullException.ThrowIfNull(server);
        var authorization = new MethodAuthorization(policy is null, policy is not null, policy is null ? [] : [policy], []);
        return server.AddService<IReflection>(new ReflectionService(server), authorization);
    }
}
