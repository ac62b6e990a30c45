using Google.Protobuf.WellKnownTypes;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux.Serialization.Raw;
using Mux.Tests.Contracts;
using Mux.Tests.Trimmed;

var address = $"mux+unix://{Path.GetTempPath()}mux-trimmed-{Environment.ProcessId}.sock";
var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
builder.Configuration["Mux:Server:PeerName"] = "trimmed";
builder.Services.AddMuxServer(address).AddService<IRelay, Relay>().AddService<IFormats, Formats>();
builder.Services.AddMuxClient(address).AddProxy<IRelay>().AddProxy<IFormats>();
using var host = builder.Build();
await host.StartAsync();
var formats = host.Services.GetRequiredService<IFormats>();
var leg = new Leg("a", 1.5);
if (await formats.Json(leg) != leg) throw new InvalidOperationException("JSON came back otherwise.");
if ((await formats.Proto(new Duration { Seconds = 5 })).Seconds != 5) throw new InvalidOperationException("Google's message came back otherwise.");
using (var bytes = await formats.Raw(PooledBytes.CopyOf(new byte[100_000])))
{
    if (bytes.Length != 100_000) throw new InvalidOperationException("Bytes came back otherwise.");
}

Console.WriteLine(await host.Services.GetRequiredService<IRelay>().Pass(3, "trimmed"));
await host.StopAsync();
