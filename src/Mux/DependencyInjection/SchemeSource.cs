using System.Collections.Frozen;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Mux.Configuration;
using Mux.Discovery;

namespace Mux.DependencyInjection;

/// <summary>The source of the servers of one client, if its address has one of some schemes.</summary>
internal sealed class SchemeSource
{
    private const string AsksForItself = "the function of AddSource asks for the channel, or a proxy, of the client whose source it creates: it must not.";

    /// <summary>The schemes that every channel knows. One of them with a source would not mean what the documentation says.</summary>
    private static readonly FrozenSet<string> s_builtIn = FrozenSet.Create(
        StringComparer.Ordinal, MuxAddress.TcpScheme, MuxAddress.TlsScheme, MuxAddress.UnixScheme, MuxAddress.PipeScheme, MuxAddress.WebSocketScheme,
        MuxAddress.SecureWebSocketScheme, "mux+dns", "muxs+dns");

    [ThreadStatic]
    private static Creation? t_creation; // whose functions run on this thread now, the inner one first

    private readonly string? _client;
    private readonly FrozenSet<string> _schemes;
    private readonly Func<MuxChannelOptions, IServiceProvider, IEndpointSource> _create;

    /// <param name="client">Name of the client; null for the client without a name.</param>
    /// <param name="schemes">The schemes.</param>
    /// <param name="create">See <see cref="IMuxClientBuilder.AddSource"/>.</param>
    /// <exception cref="ArgumentException">There is no scheme, or one is not allowed, or is one that every channel knows.</exception>
    public SchemeSource(string? client, IReadOnlyCollection<string> schemes, Func<MuxChannelOptions, IServiceProvider, IEndpointSource> create)
    {
        ArgumentNullException.ThrowIfNull(schemes);
        ArgumentNullException.ThrowIfNull(create);
        if (schemes.Count == 0) throw new ArgumentException("There is no scheme: expected at least one, such as mux+consul.", nameof(schemes));
        if (schemes.Any(static scheme => scheme is null)) throw new ArgumentException("A scheme is null: expected one such as mux+consul.", nameof(schemes));
        if (schemes.FirstOrDefault(scheme => !Uri.CheckSchemeName(scheme)) is { } wrong)
        {
            throw new ArgumentException(
                $"The scheme '{wrong}' is not allowed: expected a letter and then letters, digits, '+', '-' and '.', such as mux+consul, without ://.",
                nameof(schemes));
        }

        if (schemes.FirstOrDefault(s_builtIn.Contains) is { } known)
        {
            throw new ArgumentException(
                $"The scheme '{known}' is one of every channel: expected another one, such as mux+consul. To use a source with any address, set " +
                $"{nameof(MuxChannelOptions)}.{nameof(MuxChannelOptions.Endpoints)}.", nameof(schemes));
        }

        (_client, _create) = (client, create);
        _schemes = schemes.ToFrozenSet(StringComparer.Ordinal);
    }

    public void AddTo(IServiceCollection services) => services.AddOptions<MuxChannelOptions>(_client).PostConfigure<IServiceProvider>(Apply);

    /// <summary>Fails with a message that says why, if a function that creates the source of a client asks for the channel of that client.</summary>
    /// <param name="client">The options name of the client.</param>
    /// <param name="provider">The services of the host.</param>
    /// <exception cref="OptionsValidationException">It does.</exception>
    public static void ThrowIfCreating(string client, IServiceProvider provider)
    {
        if (t_creation is null) return;
        var host = HostOf(provider);
        for (var creation = t_creation; creation is not null; creation = creation.Outer)
        {
            if (creation.Host == host && (creation.Source._client ?? Options.DefaultName) == client) throw creation.Source.Invalid(null, AsksForItself);
        }
    }

    private static object HostOf(IServiceProvider provider) => provider.GetRequiredService<IServiceScopeFactory>(); // one for all scopes of a host

    private void Apply(MuxChannelOptions options, IServiceProvider provider)
    {
        int end = options.Address?.IndexOf("://", StringComparison.Ordinal) ?? -1;
        if (options.Endpoints is not null || end < 0 || !_schemes.Contains(options.Address![..end])) return;
        var outer = t_creation;
        t_creation = new Creation(this, HostOf(provider), outer);
        try
        {
            options.Endpoints = _create(options, provider) ?? throw Invalid(nameof(options.Address), $"the function of AddSource for the scheme " +
                $"'{options.Address[..end]}' returned null: expected a source, or a FormatException that says why not.");
        }
        catch (FormatException error)
        {
            throw Invalid(nameof(options.Address), error.Message);
        }
        catch (ArgumentException error)
        {
            throw Invalid(null, error.Message);
        }
        finally
        {
            t_creation = outer;
        }
    }

    /// <summary>A failure of the options, as that of any other option of the client.</summary>
    private OptionsValidationException Invalid(string? option, string error)
    {
        var path = ConfigurationPaths.Client(_client);
        var failure = $"{(option is null ? path : $"{path}:{option}")}: {error}";
        return new OptionsValidationException(_client ?? Options.DefaultName, typeof(MuxChannelOptions), [failure]);
    }

    /// <summary>A function that runs.</summary>
    private sealed record Creation(SchemeSource Source, object Host, Creation? Outer);
}
