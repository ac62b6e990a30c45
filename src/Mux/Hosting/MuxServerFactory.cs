using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Mux.Hosting;

/// <summary>Creates the server of a host from its options, with all services that were added.</summary>
internal static class MuxServerFactory
{
    /// <exception cref="InvalidOperationException">Services cannot be created; the message names all of them.</exception>
    public static MuxServer Create(IServiceProvider provider)
    {
        var registrations = provider.GetServices<ServiceRegistration>().ToList();
        var mistakes = registrations.Select(registration => (registration.Contract, Text: registration.FindMistake(provider)))
            .Where(mistake => mistake.Text is not null).Select(mistake => $"{mistake.Contract} cannot be served: {mistake.Text}").ToList();
        if (mistakes.Count > 0) throw new InvalidOperationException(string.Join(Environment.NewLine, mistakes));

        var server = new MuxServer(provider.GetRequiredService<IOptions<MuxServerOptions>>().Value, provider.GetService<ILoggerFactory>());
        foreach (var registration in registrations) registration.AddTo(provider, server);
        return server;
    }
}
