// dotnet publish -r linux-x64    then    forecasts server mux://127.0.0.1:7070    and in another terminal    forecasts client mux://127.0.0.1:7070
// Where the feed has no native compiler: dotnet publish -r linux-x64 -p:PublishAot=false
using Forecasts;
using Mux;

switch (args)
{
    case ["server", var address]:
        await using (var server = new MuxServer(address))
        {
            server.AddService<IForecasts>(new ForecastService()).Start();
            Console.WriteLine($"listening on {address}");
            await Console.In.ReadLineAsync();
        }

        return 0;

    case ["client", var address]:
        await using (var channel = MuxChannel.Create(address))
        {
            var forecasts = channel.CreateProxy<IForecasts>();
            var forecast = await forecasts.Predict("Seattle", 2);
            Console.WriteLine($"{forecast.City}: {string.Join(", ", forecast.Days.Select(day => $"{day.Name} {day.Celsius}"))}");
            int days = 0;
            await foreach (var day in forecasts.Follow("Seattle")) days++;
            Console.WriteLine($"{days} days followed.");
        }

        return 0;

    default:
        Console.Error.WriteLine("forecasts server|client ADDRESS");
        return 2;
}
