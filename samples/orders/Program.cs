// dotnet run -c Release -- server    and in another terminal    dotnet run -c Release -- client
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orders;

var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { Args = args, ContentRootPath = AppContext.BaseDirectory });
if (args.Contains("server"))
{
    builder.Services.AddMuxServer().AddScopedService<IOrders, OrderService>().AddReflection();
}
else
{
    builder.Services.AddKeyedMuxClient("orders").AddProxy<IOrders>();
    builder.Services.AddHostedService<Customer>();
}

await builder.Build().RunAsync();
