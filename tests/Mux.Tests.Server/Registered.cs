using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Mux.Tests.Contracts;

namespace Mux.Tests.Server;

/// <summary>A host with a server that is registered in etcd, until the process is told to end.</summary>
internal static class Registered
{
    /// <param name="target">Where it is registered.</param>
    public static async Task RunAsync(string target)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders(); // the standard output is for the address
        builder.Services.AddMuxServer("mux://127.0.0.1:0").AddService<IDesk, SlowDesk>()
            .RegisterInEtcd(target, advertise: "mux://127.0.0.1:0", options => options.Lease = TimeSpan.FromSeconds(3));
        using var host = builder.Build();
        await host.StartAsync();
        await Console.Out.WriteLineAsync(host.Services.GetRequiredService<MuxServer>().Address.ToString());
        await host.WaitForShutdownAsync();
    }
}
