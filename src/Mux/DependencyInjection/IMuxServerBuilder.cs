using System.Security.Claims;
using Microsoft.Extensions.DependencyInjection;
using Mux.Discovery;
using Mux.Filters;

namespace Mux.DependencyInjection;

/// <summary>Adds services to the server of a host.</summary>
public interface IMuxServerBuilder
{
    /// <summary>Gets the services of the host.</summary>
    IServiceCollection Services { get; }

    /// <summary>
    /// Serves a contract with one instance for all calls. Calls of the instance are concurrent. The container creates it as a singleton when the host starts.
    /// If its constructor needs a service that is not registered, the host does not start. With Microsoft's own container, the exception names both.
    /// </summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <typeparam name="TImplementation">The implementation. Registered as a singleton unless it is registered already; if it is registered as scoped, the host
    /// does not start.</typeparam>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or a service of this wire name was added before.</exception>
    IMuxServerBuilder AddService<TContract, [
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract;

    /// <summary>
    /// Gives handlers a <see cref="MuxCallContext"/>: the constructor of a scoped service can take it, a singleton takes an
    /// <see cref="IMuxCallContextAccessor"/>, and any code reads <see cref="MuxCallContext.Current"/>. Sets
    /// <see cref="MuxServerOptions.EnableCallContext"/>.
    /// </summary>
    /// <returns>This builder.</returns>
    IMuxServerBuilder AddCallContext();

    /// <summary>
    /// Adds a policy, to which <see cref="MuxAuthorizeAttribute.Policy"/> can refer, to those of <see cref="Identity.MuxIdentityOptions.Policies"/>.
    /// </summary>
    /// <param name="name">The name of the policy, as in the contracts.</param>
    /// <param name="isMet">Returns true if a user meets the policy. <see cref="Identity.MuxIdentityOptions.Policies"/> says when it is called.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    IMuxServerBuilder AddPolicy(string name, Func<ClaimsPrincipal, bool> isMet);

    /// <summary>
    /// Registers the server in a discovery system. It is registered when all services of the host have started, and withdrawn when the host begins to stop,
    /// before the server drains. Packages for discovery systems call this method, such as <c>RegisterInEtcd</c> of Mux.Discovery.Etcd. You can call it several
    /// times, for several systems.
    /// </summary>
    /// <remarks>
    /// A system that is down does not fail the start of the host: the server serves, and tries again after 1 to 30 s. It logs <c>Registered</c> (1050) and
    /// <c>RegistrationLost</c> (1051). When the host stops, it waits at most 2 s for the system.
    /// </remarks>
    /// <param name="endpoint">The server as clients reach it. Port 0 stands for the port at which the server listens.</param>
    /// <param name="create">Creates the registry when the host starts. The container disposes it, if it is <see cref="IDisposable"/>.</param>
    /// <returns>This builder.</returns>
    IMuxServerBuilder AddRegistry(MuxEndpoint endpoint, Func<IServiceProvider, IEndpointRegistry> create);

    /// <summary>
    /// Runs code on the server when the host starts, after its services were added and before it listens. Packages that extend the server call this method,
    /// such as <c>AddGateway</c> of Mux.Gateway. Exceptions of the code fail the start of the host.
    /// </summary>
    /// <param name="configure">Gets the services of the host and the server.</param>
    /// <returns>This builder.</returns>
    IMuxServerBuilder ConfigureServer(Action<IServiceProvider, MuxServer> configure);

    /// <summary>
    /// Adds a filter around all calls: those that the server serves, and those that it makes to its clients, unless <see cref="MuxFilter.RunsOn"/> says
    /// otherwise. The filters of the server are outermost, then those of a service, then those of a method; of each, the first one added. Calls that are
    /// refused before their handler could run reach no filter.
    /// </summary>
    /// <typeparam name="TFilter">The filter. Registered as a singleton unless it is registered already. If it is registered as scoped, each call has an
    /// instance: from the scope of a service that was added with <see cref="AddScopedService{TContract, TImplementation}"/>, otherwise from a scope of its
    /// own.</typeparam>
    /// <returns>This builder.</returns>
    IMuxServerBuilder AddFilter<[System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicConstructors)] TFilter>()
        where TFilter : MuxFilter;

    /// <summary>Adds a filter around all calls of a contract, or of one method of it.</summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <typeparam name="TFilter">The filter, see <see cref="AddFilter{TFilter}()"/>.</typeparam>
    /// <param name="method">Name of the method, as <c>nameof(IOrders.Place)</c>; null for all methods. A contract without this method fails the start of the
    /// host.</param>
    /// <returns>This builder.</returns>
    IMuxServerBuilder AddFilter<TContract, [System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicConstructors)] TFilter>(string? method = null)
        where TContract : class
        where TFilter : MuxFilter;

    /// <summary>Adds a filter around all calls of the server, in both directions, which your code creates.</summary>
    /// <param name="create">Creates the filter when the host starts. The container does not dispose it.</param>
    /// <returns>This builder.</returns>
    IMuxServerBuilder AddFilter(Func<IServiceProvider, MuxFilter> create);

    /// <summary>Adds a filter around all calls of a contract, or of one method of it, which your code creates.</summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <param name="create">Creates the filter when the host starts. The container does not dispose it.</param>
    /// <param name="method">Name of the method; null for all methods.</param>
    /// <returns>This builder.</returns>
    IMuxServerBuilder AddFilter<TContract>(Func<IServiceProvider, MuxFilter> create, string? method = null)
        where TContract : class;

    /// <summary>
    /// Serves a contract with a new instance for each call, from its own scope. The scope is disposed when the handler has returned or thrown. With
    /// Microsoft's own container, the host does not start if the constructor needs a service that is not registered, and the exception names both. With another
    /// container, the calls fail.
    /// </summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <typeparam name="TImplementation">The implementation. Registered as scoped unless it is registered already.</typeparam>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or a service of this wire name was added before.</exception>
    IMuxServerBuilder AddScopedService<TContract, [
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract;

    /// <summary>
    /// Serves a contract with an instance for each connection, from a scope of its own: all calls of a client on one connection have the same instance, also
    /// concurrently. Its constructor can take the <see cref="MuxPeer"/>. The scope is disposed when the connection has ended.
    /// </summary>
    /// <remarks>
    /// The instance is made at the first call; if it implements <see cref="IMuxPeerEvents"/>, when the connection opens, and it is told of the connection and
    /// of its end. Behind a gateway, the connection is that of the gateway. With several contracts and one implementation, a connection has one instance.
    /// </remarks>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <typeparam name="TImplementation">The implementation. Registered as scoped unless it is registered already.</typeparam>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or a service of this wire name was added before.</exception>
    IMuxServerBuilder AddPeerService<TContract, [
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract;

    /// <summary>Has an object learn of connections: of each that opens, and of its end.</summary>
    /// <typeparam name="TEvents">The object. Registered as a singleton unless it is registered already.</typeparam>
    /// <returns>This builder.</returns>
    IMuxServerBuilder AddPeerEvents<[System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicConstructors)] TEvents>()
        where TEvents : class, IMuxPeerEvents;
}
