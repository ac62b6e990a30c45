using Mux.Tool.Commands;

return await CommandLine.RunAsync(args, Console.Out, Console.Error).ConfigureAwait(false);
