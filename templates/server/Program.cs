using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using MuxApp._1;

// appsettings.json lies beside the program, wherever it is started from.
var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { Args = args, ContentRootPath = AppContext.BaseDirectory });
builder.Services.AddMuxServer().AddService<IGreeter, Greeter>();
await builder.Build().RunAsync();
