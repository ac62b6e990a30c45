// A client, a gateway, and two services behind it. The client knows the gateway alone, and the gateway knows no contract: it forwards bytes.
using Gateway;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux;

await using var orders = new MuxServer("mux://127.0.0.1:0").AddService<IOrders>(new Orders());
await using var stock = new MuxServer("mux://127.0.0.1:0").AddService<IStock>(new Stock());
orders.Start();
stock.Start();

var builder = Host.CreateEmptyApplicationBuilder(null);
builder.Services.AddKeyedMuxClient("orders", orders.Address.ToString());
builder.Services.AddKeyedMuxClient("others", stock.Address.ToString());
builder.Services.AddMuxServer("mux://127.0.0.1:0").AddGateway(routes => routes.Map("shop.Orders", "orders").MapPrefix("shop.", "others"));
using var host = builder.Build();
await host.StartAsync();
var gateway = host.Services.GetRequiredService<MuxServer>();

await using (var channel = await MuxChannel.ConnectAsync(gateway.Address.ToString()))
{
    Console.WriteLine(await channel.CreateProxy<IOrders>().Place("tea", 3));
    await foreach (int left in channel.CreateProxy<IStock>().Watch("tea")) Console.WriteLine($"{left} left");
    try
    {
        await channel.CreateProxy<IOrders>().Place("tea", 0);
    }
    catch (MuxException error)
    {
        Console.WriteLine($"{error.Status}, {error.Execution}: {error.Message}"); // as the service said it
    }
}

await host.StopAsync(); // open calls finish first
