// One process, two ports: HTTP with its health at 8080, Mux at 7070 and over WebSockets at /mux of 8080. Calls itself over each, and stops.
using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Mux;
using Stock;

var builder = WebApplication.CreateSlimBuilder(args);
builder.Logging.SetMinimumLevel(LogLevel.Warning);
builder.Services.AddMuxServer().AddService<IStock, StockService>();
builder.Services.AddHealthChecks().AddMux();
builder.WebHost.ConfigureKestrel(kestrel =>
{
    kestrel.Listen(IPAddress.Loopback, 8080);
    kestrel.Listen(IPAddress.Loopback, 7070, endpoint => endpoint.UseMux());
});

await using var app = builder.Build();
app.MapHealthChecks("/ready");
app.MapMuxWebSocket("/mux");
app.MapGet("/stock/{item}", (string item, StockService stock) => stock.Count(item).AsTask());
await app.StartAsync();

await using var channel = MuxChannel.Create("mux://127.0.0.1:7070");
Console.WriteLine($"Mux:  {await channel.CreateProxy<IStock>().Count("apples")} apples");

await using var webSocket = MuxChannel.Create("mux+ws://127.0.0.1:8080/mux");
Console.WriteLine($"WS:   {await webSocket.CreateProxy<IStock>().Count("apples")} apples");

using var http = new HttpClient { BaseAddress = new Uri("http://127.0.0.1:8080") };
Console.WriteLine($"HTTP: {await http.GetStringAsync(new Uri("/stock/apples", UriKind.Relative))} apples, {await http.GetStringAsync(new Uri("/ready", UriKind.Relative))}");
await app.StopAsync();
