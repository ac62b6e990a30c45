using System.Globalization;
using SideBySide;
using SideBySide.Load;
using SideBySide.Processes;
using SideBySide.Stacks;

try
{
    switch (args)
    {
        // The other processes of a run.
        case ["serve", var stack]:
            ServerProgram.Run(Stack.Named(stack));
            return 0;
        case ["call", var stack, var shape, var warmup, var duration]:
            ClientProgram.Run(Stack.Named(stack), Shape.Named(shape), new RunTiming(SecondsOf(warmup), SecondsOf(duration)));
            return 0;
        case ["check-replies", var stack]:
            ClientProgram.Check(Stack.Named(stack));
            return 0;

        case ["check"]:
            return PeerRounds.Check(Stack.All) ? 0 : 1;
        case ["--help" or "-h" or "help", ..]:
            Console.WriteLine(RunOptions.Usage);
            return 0;
    }

    return PeerRounds.Run(RunOptions.Parse(args, [.. Stack.All.Select(stack => stack.Name)], [.. Shape.All.Select(shape => shape.Name)])) ? 0 : 1;
}
catch (PeersException error)
{
    Console.Error.WriteLine(error.Message);
    Console.Error.WriteLine(RunOptions.Usage);
    return 2;
}

static double SecondsOf(string text) => double.Parse(text, CultureInfo.InvariantCulture);
