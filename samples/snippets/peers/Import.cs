using Mux;

namespace Importing;

[MuxCallback]
public interface IProgress
{
    [MuxMethod(OneWay = true)]
    ValueTask Report(int percent);

    ValueTask<bool> Ask(string question, CancellationToken cancellationToken = default);
}

[MuxService("shop.Imports")]
public interface IImports
{
    ValueTask<int> ImportAsync(string file, IProgress progress, CancellationToken cancellationToken = default);
}

public sealed class Imports : IImports
{
    public async ValueTask<int> ImportAsync(string file, IProgress progress, CancellationToken cancellationToken)
    {
        int rows = 0;
        var lines = await File.ReadAllLinesAsync(file, cancellationToken);
        foreach (var line in lines)
        {
            if (line.Length == 0 && !await progress.Ask("Skip an empty line?", cancellationToken)) throw new MuxException(MuxStatus.Aborted, "Stopped by the user.");
            if (++rows % 1000 == 0) await progress.Report(100 * rows / lines.Length);
        }

        return rows;
    }
}

public sealed class ConsoleProgress : IProgress
{
    public ValueTask Report(int percent)
    {
        Console.WriteLine($"{percent}%");
        return default;
    }

    public ValueTask<bool> Ask(string question, CancellationToken cancellationToken)
    {
        Console.Write($"{question} (y/n) ");
        return new(Console.ReadLine() == "y");
    }
}

public static class ImportSetup
{
    public static ValueTask<int> ImportAsync(IImports imports) => imports.ImportAsync("orders.csv", new ConsoleProgress());
}
