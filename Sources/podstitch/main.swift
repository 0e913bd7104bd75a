print("podstitch")
