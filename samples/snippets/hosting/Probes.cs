using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Mux;

namespace Shop;

public static class Probes
{
    public static async Task RunAsync(string[] args)
    {
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions { Args = args, ContentRootPath = AppContext.BaseDirectory });
        builder.WebHost.UseUrls("http://*:8080"); // probes alone; Mux listens at Mux:Server:Address, as before
        builder.Services.AddMuxServer().AddScopedService<IOrders, OrderService>();
        builder.Services.AddHealthChecks().AddMux();

        var app = builder.Build();
        app.MapHealthChecks("/ready"); // fails as soon as the host stops
        app.MapHealthChecks("/live", new() { Predicate = static _ => false }); // answers while the process does
        await app.RunAsync();
    }
}
