using Microsoft.Extensions.DependencyInjection;
using Mux.Discovery;
using Mux.Filters;

namespace Mux.DependencyInjection;

/// <summary>Adds proxies and sources of servers to a client of a host.</summary>
public interface IMuxClientBuilder
{
    /// <summary>Gets the services of the host.</summary>
    IServiceCollection Services { get; }

    /// <summary>Gets the name of the client, or null for the client without a name.</summary>
    string? Name { get; }

    /// <summary>
    /// Makes the proxy of a contract injectable. For a named client, the name is the key of the proxy; for the client without a name, the proxy has no key.
    /// </summary>
    /// <remarks>
    /// If only one client of the host has the contract, its proxy is also injected without a key. If several named clients have it, and the client without a
    /// name does not, injecting the interface without a key throws <see cref="InvalidOperationException"/>, which names the clients; a service of the
    /// host's server that needs it fails the start with these words. Your own registration of the interface takes precedence over the proxy of a named
    /// client, whichever comes first. Of your own registration and the proxy of the client without a name, the later one is injected, as with any two
    /// registrations.
    /// </remarks>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract.</exception>
    IMuxClientBuilder AddProxy<TContract>()
        where TContract : class;

    /// <summary>
    /// Lets the client have addresses with other schemes, whose servers a source of yours finds. Packages for discovery systems call this method, such as
    /// <c>UseEtcd</c> of Mux.Discovery.Etcd. A client with another address, for example from the configuration of a development machine, is not changed, nor is
    /// one with <see cref="MuxChannelOptions.Endpoints"/>. You can call it several times, for several systems.
    /// </summary>
    /// <param name="schemes">The schemes, without <c>://</c>, such as <c>mux+consul</c>. Upper and lower case differ.</param>
    /// <param name="create">
    /// Creates the source for the options of the client, whose address has one of the schemes. Called when these options are first read, with the services of
    /// the host. A <see cref="FormatException"/> means that the address is not valid, and an <see cref="ArgumentException"/> that an option of the source is
    /// not: either becomes an <see cref="Microsoft.Extensions.Options.OptionsValidationException"/> that names the client, as does null. The function must not
    /// ask for the channel or a proxy of this client.
    /// </param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentException">
    /// There is no scheme, or one is not a scheme: a letter, and then letters, digits, '+', '-' and '.'; or every channel knows it, such as <c>mux</c>.
    /// </exception>
    IMuxClientBuilder AddSource(IReadOnlyCollection<string> schemes, Func<MuxChannelOptions, IServiceProvider, IEndpointSource> create);

    /// <summary>
    /// Adds a filter around all calls: of the client's proxies, and of the services that the client serves, unless <see cref="MuxFilter.RunsOn"/> says
    /// otherwise. It runs once for each call of the caller, whatever is sent again. The filters of the client are outermost, then those of a service, then
    /// those of a method; of each, the first one added.
    /// </summary>
    /// <typeparam name="TFilter">The filter. Registered as a singleton unless it is registered already; it must not be scoped, nor need the channel or a
    /// proxy of this client.</typeparam>
    /// <returns>This builder.</returns>
    IMuxClientBuilder AddFilter<[System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicConstructors)] TFilter>()
        where TFilter : MuxFilter;

    /// <summary>Adds a filter around all calls of a contract, or of one method of it.</summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <typeparam name="TFilter">The filter, see <see cref="AddFilter{TFilter}()"/>.</typeparam>
    /// <param name="method">Name of the method, as <c>nameof(IOrders.Place)</c>; null for all methods. A contract without this method fails the start of the
    /// host.</param>
    /// <returns>This builder.</returns>
    IMuxClientBuilder AddFilter<TContract, [System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicConstructors)] TFilter>(string? method = null)
        where TContract : class
        where TFilter : MuxFilter;

    /// <summary>Adds a filter around all calls of the client, in both directions, which your code creates.</summary>
    /// <param name="create">Creates the filter when the options of the client are first read. The container does not dispose it.</param>
    /// <returns>This builder.</returns>
    IMuxClientBuilder AddFilter(Func<IServiceProvider, MuxFilter> create);

    /// <summary>Adds a filter around all calls of a contract, or of one method of it, which your code creates.</summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <param name="create">Creates the filter when the options of the client are first read. The container does not dispose it.</param>
    /// <param name="method">Name of the method; null for all methods.</param>
    /// <returns>This builder.</returns>
    IMuxClientBuilder AddFilter<TContract>(Func<IServiceProvider, MuxFilter> create, string? method = null)
        where TContract : class;

    /// <summary>
    /// Serves a contract to the servers of the client with one instance for all calls, which are concurrent: a server calls it by <see cref="MuxPeer.Get"/>.
    /// The container creates the instance at the first call, so its constructor may take proxies of this client. If the constructor needs a service that is not
    /// registered, the host does not start.
    /// </summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <typeparam name="TImplementation">The implementation. Registered as a singleton unless it is registered already; if it is registered as scoped, the host
    /// does not start.</typeparam>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or a service of this wire name was added to the client before.</exception>
    IMuxClientBuilder AddService<TContract, [
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract;

    /// <summary>
    /// Serves a contract to the servers of the client with a new instance for each call, from its own scope. The scope is disposed when the handler has
    /// returned or thrown. If the constructor needs a service that is not registered, the host does not start.
    /// </summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <typeparam name="TImplementation">The implementation. Registered as scoped unless it is registered already.</typeparam>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or a service of this wire name was added to the client before.</exception>
    IMuxClientBuilder AddScopedService<TContract, [
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract;

    /// <summary>
    /// Gives the handlers of the client a <see cref="MuxCallContext"/>, as <see cref="IMuxServerBuilder.AddCallContext"/> does for those of a server. Sets
    /// <see cref="MuxChannelOptions.EnableCallContext"/>.
    /// </summary>
    /// <returns>This builder.</returns>
    IMuxClientBuilder AddCallContext();

    /// <summary>
    /// Adds code that runs each time that the client has a new connection by which servers find it: see <see cref="MuxChannelOptions.OnOpened"/>. Code that is
    /// added later runs later; if one throws, those after it do not run.
    /// </summary>
    /// <param name="run">Gets the server, and a token that is cancelled when the connection ends.</param>
    /// <returns>This builder.</returns>
    IMuxClientBuilder OnOpened(Func<MuxPeer, CancellationToken, ValueTask> run);
}
