using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux;

namespace Orders;

internal sealed class Customer([FromKeyedServices("orders")] IOrders orders, IHostApplicationLifetime lifetime) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        foreach (int id in (int[])[1, -1])
        {
            try
            {
                var order = await orders.Find(id, stoppingToken);
                Console.WriteLine($"Order {order.Id} is {order.Customer}'s.");
            }
            catch (MuxException e) when (e.Status == MuxStatus.NotFound)
            {
                Console.WriteLine(e.Message); // the text that the handler chose
            }
            catch (MuxException e)
            {
                Console.WriteLine($"{e.Message} Sending it again is {(e.Execution == MuxExecution.NotExecuted ? "safe" : "up to you")}.");
            }
        }

        lifetime.StopApplication();
    }
}
