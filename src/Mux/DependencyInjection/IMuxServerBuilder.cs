using System.Security.Claims;
using Microsoft.Extensions.DependencyInjection;

namespace Mux.DependencyInjection;

/// <summary>Adds services to the server of a host.</summary>
public interface IMuxServerBuilder
{
    /// <summary>The services of the host.</summary>
    IServiceCollection Services { get; }

    /// <summary>
    /// Serves a contract by one instance for all calls, which is called concurrently. Created by the container, as a singleton, when the host starts.
    /// </summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <typeparam name="TImplementation">Registered as a singleton unless it is registered already; the host does not start if it is registered as
    /// scoped.</typeparam>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or a service of this wire name was added before.</exception>
    IMuxServerBuilder AddService<TContract, [
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract;

    /// <summary>Adds what <see cref="MuxAuthorizeAttribute.Policy"/> names, beside those of <see cref="Identity.MuxIdentityOptions.Policies"/>.</summary>
    /// <param name="name">As the contracts write it.</param>
    /// <param name="isMet">Whether a peer meets it; see <see cref="Identity.MuxIdentityOptions.Policies"/> for when it is called.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    IMuxServerBuilder AddPolicy(string name, Func<ClaimsPrincipal, bool> isMet);

    /// <summary>
    /// Serves a contract by an instance of its own for each call, from a scope of its own, which is disposed when the handler has returned or thrown.
    /// </summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <typeparam name="TImplementation">Registered as scoped unless it is registered already.</typeparam>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or a service of this wire name was added before.</exception>
    IMuxServerBuilder AddScopedService<TContract, [
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMembers(
        System.Diagnostics.CodeAnalysis.DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract;
}
