using Mux.Tool.Commands;

ClosedOutput.Watch();
return ClosedOutput.ExitCodeAfter(await CommandLine.RunAsync(args, Console.Out, Console.Error).ConfigureAwait(false));
