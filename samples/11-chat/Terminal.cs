using System.Globalization;
using Mux;

namespace Chat;

/// <summary>A user at a keyboard.</summary>
public static class Terminal
{
    public static async Task RunAsync(string address, string room, string name)
    {
        await using var user = ChatUser.Start(address, room, name, Console.WriteLine, confirm: question =>
        {
            Console.WriteLine($"? {question} Yes.");
            return true;
        });
        Console.WriteLine("/who, /online, /history, /export FILE, /ask QUESTION, /quit; everything else is said");
        while (await Console.In.ReadLineAsync() is { } line and not "/quit")
        {
            try
            {
                if (line.Length > 0) await RunAsync(user, line);
            }
            catch (MuxException error)
            {
                Console.WriteLine($"! {error.Message}");
            }
        }
    }

    private static async Task RunAsync(ChatUser user, string line)
    {
        switch (line.Split(' ', 2))
        {
            case ["/who"]:
                Console.WriteLine($"* {string.Join(", ", await user.Chat.Who(user.Room))}");
                break;
            case ["/online"]:
                Console.WriteLine($"* {string.Join(", ", await user.Chat.Online())}");
                break;
            case ["/history"]:
                await foreach (var said in user.Chat.History(user.Room, lines: 20)) Console.WriteLine($"  {said.Name}: {said.Text}");
                break;
            case ["/export", var file]:
                int lines = await user.Chat.Export(user.Room, new FileExport(file, Console.WriteLine, Confirm));
                Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"* {lines} lines exported"));
                break;
            case ["/ask", var question]:
                var vote = await user.Chat.Ask(user.Room, question);
                var why = vote.Silent == 0 ? string.Empty : $" ({vote.Reasons})";
                Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"* {vote.Yes} yes, {vote.No} no, {vote.Silent} silent{why}"));
                break;
            case [['/', ..], ..]:
                Console.WriteLine("! There is no such command, or something is missing behind it.");
                break;
            default:
                await user.Chat.Say(user.Room, line);
                break;
        }
    }

    // The keyboard is free: the code that reads it has made the call that asks.
    private static bool Confirm(string question)
    {
        Console.Write($"? {question} (y/n) ");
        return Console.ReadLine() == "y";
    }
}
