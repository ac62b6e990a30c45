using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using MuxApp._1;

// appsettings.json is next to the program, which may be started from any folder.
var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { Args = args, ContentRootPath = AppContext.BaseDirectory });
builder.Services.AddMuxServer().AddService<IGreeter, Greeter>();
await builder.Build().RunAsync();
