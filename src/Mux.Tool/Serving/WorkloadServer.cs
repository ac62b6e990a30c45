using Mux.ProtocolCases.Serving;
using Mux.Tool.Faults;
using Mux.Tool.Workloads;

namespace Mux.Tool.Serving;

/// <summary>A server of the built-in workloads and of the figures of its process.</summary>
internal static class WorkloadServer
{
    /// <summary>Creates a server and starts it.</summary>
    /// <exception cref="ToolException">The server cannot listen, or must not.</exception>
    public static MuxServer Start(MuxAddress address, ServeOptions options)
    {
        CheckPlaintext(address, options.AllowPlaintext);
        var transport = EngineChoice.MakeTransport(address, options.Links);
        if (options.Fault != Fault.None) transport = new FaultTransport(transport, options.Fault);
        var settings = new MuxServerOptions
        {
            Address = address.ToString(),
            AllowPlaintext = options.AllowPlaintext,
            Profile = options.Profile,
            PeerName = "mux serve",
            Transport = transport,
            MaxMessageBytes = WorkloadTraits.MaxMessageBytes,
        };
        var server = new MuxServer(settings);
        var work = options.Handlers.IsPlain ? null : new HandlerWork(options.Handlers); // its threads end with the process
        server.AddService<IDirectory>(new DirectoryService(work));
        server.AddService<IEcho>(new EchoService(work));
        server.AddService<IEmpty>(new EmptyService(work));
        server.AddService<IStreams>(new StreamService());
        server.AddService<IBulk>(new BulkService());
        server.AddService<ISpec>(new SpecService());
        server.AddService<IMessages>(new MessageService());
        server.AddService<IServerStats>(new ServerStats(server, work));
        try
        {
            server.Start();
            return server;
        }
        catch (IOException error)
        {
            throw new ToolException(ExitCode.Usage, $"--listen: {error.Message}", error);
        }
    }

    /// <summary>
    /// Checks the address as if the server had no transport of its own: the core trusts transports that it does not know, but here an address means the same
    /// with every engine.
    /// </summary>
    public static void CheckPlaintext(MuxAddress address, bool isAllowed)
    {
        var settings = new MuxServerOptions { Address = address.ToString(), AllowPlaintext = isAllowed };
        bool isOpen = settings.Validate().Any(failure => failure.Option == nameof(settings.AllowPlaintext));
        if (isOpen)
        {
            throw new ToolException(ExitCode.Usage, $"--listen: other machines can reach '{address}' without encryption: add --allow-plaintext in a " +
                "network that you trust.");
        }
    }
}
