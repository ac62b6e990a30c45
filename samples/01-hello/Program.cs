using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux;

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddMuxServer("mux://127.0.0.1:7070").AddService<IGreeter, Greeter>();
builder.Services.AddMuxClient("mux://127.0.0.1:7070").AddProxy<IGreeter>();
using var host = builder.Build();
await host.StartAsync();
Console.WriteLine(await host.Services.GetRequiredService<IGreeter>().Greet("world"));
await host.StopAsync();

[MuxService("hello.Greeter")]
public interface IGreeter
{
    ValueTask<string> Greet(string name, CancellationToken cancellationToken = default);
}

public class Greeter : IGreeter
{
    public ValueTask<string> Greet(string name, CancellationToken cancellationToken) => new($"Hello, {name}!");
}
