using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using MuxApp._1;

// appsettings.json is next to the program, which may be started from any folder.
var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { Args = args, ContentRootPath = AppContext.BaseDirectory });
builder.Services.AddMuxClient().AddProxy<IGreeter>();
using var host = builder.Build();
await host.StartAsync();

var greeter = host.Services.GetRequiredService<IGreeter>();
var greeting = await greeter.GreetAsync(new GreetingRequest { Name = "Mux" });
Console.WriteLine(greeting.Text);

await host.StopAsync();
