using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux.Tests.Contracts;
using Mux.Tests.Trimmed;

var address = $"mux+unix://{Path.GetTempPath()}mux-trimmed-{Environment.ProcessId}.sock";
var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
builder.Configuration["Mux:Server:PeerName"] = "trimmed";
builder.Services.AddMuxServer(address).AddService<IRelay, Relay>();
builder.Services.AddMuxClient(address).AddProxy<IRelay>();
using var host = builder.Build();
await host.StartAsync();
Console.WriteLine(await host.Services.GetRequiredService<IRelay>().Pass(3, "trimmed"));
await host.StopAsync();
